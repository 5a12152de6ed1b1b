import { describe, expect, it } from "vitest";
import { failure, reset, success } from "../helpers/answers.ts";
import { deleteBrand, failing, get, over } from "../helpers/calls.ts";
import { clientOf, fetchError, rejection } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { lossesOf, refusals, rowsOf } from "../helpers/service-faults.ts";

const job = success({ job_id: "j", status: "queued" });
const deleted = success({ id: "b", deleted: true });

const faults = [...lossesOf(200), ...refusals];
const passing = rowsOf(faults.filter(({ isRepeated }) => isRepeated));
const lasting = rowsOf(faults.filter(({ isRepeated }) => !isRepeated));

describe.concurrent("a read", () => {
  it.each(passing)("is sent again after %s", async (_, fault) => {
    const server = await listen(fault, job);
    const client = clientOf(server, { timeoutMs: 300, totalTimeoutMs: 20_000 });

    expect(await get(client)).toEqual({ job_id: "j", status: "queued" });
    const sent = server.received.map(({ method, url }) => `${method} ${url}`);
    expect(sent).toEqual(["GET /v1/jobs/j", "GET /v1/jobs/j"]);
  });

  it.each(lasting)("is not sent again after %s", async (_, fault, expected) => {
    const { error, received } = await failing([fault, job], get);

    expect(error).toMatchObject({ ...expected, attempts: 1 });
    expect(received).toHaveLength(1);
  });

  it.each([400, 401, 402, 403, 404, 409, 410, 422, 302])(
    "is not sent again after a %i that asks for it",
    async (status) => {
      const { error, received } = await failing(
        [failure(status, "no", { "retry-after": "0" }), job],
        get,
      );

      expect(error).toMatchObject({ status, attempts: 1 });
      expect(received).toHaveLength(1);
    },
  );
});

describe("a delete", () => {
  it.each([
    ["a reset", reset],
    ["a 503", failure(503)],
  ])("is sent again after %s", async (_, fault) => {
    const server = await listen(fault, deleted);

    expect(await deleteBrand(clientOf(server))).toEqual({ id: "b", deleted: true });
    expect(server.received.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
  });

  const slowDown = failure(429, "slow down", { "retry-after": "0" });
  const gone = failure(404, "no such brand");
  it.each<[string, Answer[], string, string]>([
    ["at first was refused", [gone], "refused", ""],
    ["after a 429 was refused", [slowDown, gone], "refused", ""],
    [
      "after a reset may have been carried out",
      [reset, gone],
      "unknown",
      "; it may have been carried out",
    ],
    [
      "after a 500 may have been carried out",
      [failure(500), gone],
      "unknown",
      "; it may have been carried out",
    ],
  ])("that is not found %s", async (_, answers, outcome, doubt) => {
    const { error } = await failing(answers, deleteBrand);

    const attempts = answers.length;
    expect(error).toMatchObject({ name: "NotFoundError", status: 404, outcome, attempts });
    expect(error.message).toBe(`DELETE /v1/brands/b answered 404: no such brand${doubt}`);
  });

  it("that never leaves after a reset may have been carried out all the same", async () => {
    const codes = ["ECONNRESET", "ECONNREFUSED", "ECONNREFUSED"];
    const client = over(() => Promise.reject(fetchError(codes.shift() ?? "")));

    const error = await rejection(deleteBrand(client));

    expect(codes).toEqual([]);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 3 });
    expect(error.message).toMatch(/it may have been carried out$/);
  });

  it("that gets no key after a reset may have been carried out all the same", async () => {
    const keys = ["ak-1", ""];

    const { error, received } = await failing([reset, deleted], deleteBrand, {
      apiKey: () => keys.shift() ?? "",
    });

    expect(received).toHaveLength(1);
    expect(error).toMatchObject({ code: "config", outcome: "unknown", attempts: 2 });
  });
});
