import { describe, expect, it } from "vitest";
import { failure, reset, success } from "../helpers/answers.ts";
import { clientOf, fetchError, rejection, timed } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { lossesOf, refusals, rowsOf } from "../helpers/service-faults.ts";

const job = success({ job_id: "j", status: "queued" });
const deleted = success({ id: "b", deleted: true });

const repeated = [...lossesOf(200), ...refusals].filter(({ isRepeated }) => isRepeated);
const passing = rowsOf(repeated.filter(({ isSlow }) => !isSlow));
const slow = rowsOf(repeated.filter(({ isSlow }) => isSlow));
const lasting = rowsOf([...lossesOf(200), ...refusals].filter(({ isRepeated }) => !isRepeated));

describe("a read", () => {
  it.concurrent.each(passing)("is sent again after %s", async (_, fault) => {
    const server = await listen(fault, job);

    expect(await clientOf(server).jobs.get("j")).toEqual({ job_id: "j", status: "queued" });
    expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /v1/jobs/j",
      "GET /v1/jobs/j",
    ]);
  });

  it.each(slow)("is sent again after %s, within its total time", async (_, fault) => {
    const server = await listen(fault, job);
    const client = clientOf(server, { timeoutMs: 300, totalTimeoutMs: 20_000 });

    expect(await client.jobs.get("j")).toMatchObject({ status: "queued" });
    expect(server.received).toHaveLength(2);
  });

  it.each([400, 401, 402, 403, 404, 409, 410, 422, 302])(
    "is not sent again after %i",
    async (status) => {
      const server = await listen(failure(status, "no", { "retry-after": "0" }), job);

      const error = await rejection(clientOf(server).jobs.get("j"));

      expect(server.received).toHaveLength(1);
      expect(error).toMatchObject({ status, attempts: 1 });
    },
  );

  it.each(lasting)("is not sent again after %s", async (_, fault, expected) => {
    const server = await listen(fault, job);

    expect(await rejection(clientOf(server).jobs.get("j"))).toMatchObject({
      ...expected,
      attempts: 1,
    });
    expect(server.received).toHaveLength(1);
  });

  it("is sent three times at most, with growing random waits", async () => {
    const server = await listen(failure(503));
    const waits: number[] = [];
    const client = clientOf(server, { hooks: { onRetry: ({ waitMs }) => waits.push(waitMs) } });

    const { value: error, ms } = await timed(() => rejection(client.brands.list()));

    expect(server.received).toHaveLength(3);
    expect(error).toMatchObject({
      name: "ApiError",
      code: "server_error",
      status: 503,
      attempts: 3,
    });
    expect(waits[0]).toBeLessThanOrEqual(250);
    expect(waits[1]).toBeLessThanOrEqual(500);
    const waited = waits.reduce((sum, wait) => sum + wait);
    expect(ms).toBeGreaterThanOrEqual(waited);
    expect(ms).toBeLessThan(waited + 20_000);
    const [first, second, third] = server.received.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual((waits[0] ?? 0) - 1);
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual((waits[1] ?? 0) - 1);
  });

  it("fits its retries into the call's time", async () => {
    const server = await listen(failure(503));

    const { value: error, ms } = await timed(() =>
      rejection(clientOf(server).jobs.get("j", { timeoutMs: 1_000, maxRetries: 10 })),
    );

    expect(server.received.length).toBeGreaterThan(1);
    expect(error).toMatchObject({ code: expect.stringMatching(/^(server_error|timeout)$/) });
    expect(ms).toBeLessThan(10_000);
  });

  it.each([0, 1, 4])(
    "is sent again %i times at most when maxRetries says so",
    async (maxRetries) => {
      const server = await listen(failure(503, "busy", { "retry-after": "0" }));

      await rejection(clientOf(server).jobs.list({}, { maxRetries }));
      expect(server.received).toHaveLength(maxRetries + 1);

      await rejection(clientOf(server, { maxRetries }).jobs.list());
      expect(server.received).toHaveLength(2 * (maxRetries + 1));
    },
  );
});

describe("a delete", () => {
  it.concurrent.each(passing)("is sent again after %s", async (_, fault) => {
    const server = await listen(fault, deleted);

    expect(await clientOf(server).brands.delete("b")).toEqual({ id: "b", deleted: true });
    expect(server.received.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
  });

  it("that is not found at first was refused", async () => {
    const server = await listen(failure(404));

    const error = await rejection(clientOf(server).savedAds.delete("a"));

    expect(error).toMatchObject({ name: "NotFoundError", outcome: "refused", attempts: 1 });
    expect(error.message).not.toContain("may");
  });

  it.each([
    ["a reset", reset],
    ["500", failure(500)],
  ])("that is not found after %s may have been carried out", async (_, fault) => {
    const server = await listen(fault, failure(404, "no such brand"));

    const error = await rejection(clientOf(server).brands.delete("b"));

    expect(error).toMatchObject({
      name: "NotFoundError",
      status: 404,
      outcome: "unknown",
      attempts: 2,
    });
    expect(error.message).toBe(
      "DELETE /v1/brands/b answered 404: no such brand; it may have been carried out",
    );
  });

  it("that never leaves after a reset may have been carried out all the same", async () => {
    const codes = ["ECONNRESET", "ECONNREFUSED", "ECONNREFUSED"];
    const fetch = async (): Promise<never> => {
      throw fetchError(codes.shift() ?? "");
    };

    const error = await rejection(
      clientOf({ url: "http://ads.test" }, { fetch }).brands.delete("b"),
    );

    expect(codes).toEqual([]);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 3 });
    expect(error.message).toMatch(/it may have been carried out$/);
  });

  it("that gets no key after a reset may have been carried out all the same", async () => {
    const server = await listen(reset, deleted);
    let asked = 0;
    const apiKey = () => (++asked === 1 ? "ak-1" : "");

    const error = await rejection(clientOf(server, { apiKey }).brands.delete("b"));

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ code: "config", outcome: "unknown", attempts: 2 });
  });

  it("that is refused after a 429 was refused", async () => {
    const server = await listen(failure(429, "slow down", { "retry-after": "0" }), failure(404));

    const error = await rejection(clientOf(server).brands.delete("b"));

    expect(error).toMatchObject({ code: "not_found", outcome: "refused", attempts: 2 });
  });
});
