import { describe, expect, it } from "vitest";
import { failure, reset, success } from "../helpers/answers.ts";
import { deleteBrand, failing, get } from "../helpers/calls.ts";
import { clientOf } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
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

  it("that is not found after a reset may have been carried out", async () => {
    const { error } = await failing([reset, failure(404, "no such brand")], deleteBrand);
    expect(error).toMatchObject({ name: "NotFoundError", outcome: "unknown", attempts: 2 });
    expect(error.message).toBe(
      "DELETE /v1/brands/b answered 404: no such brand; it may have been carried out",
    );
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
