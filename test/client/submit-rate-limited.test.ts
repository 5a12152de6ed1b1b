import { describe, expect, it } from "vitest";
import type { CallOptions } from "../../src/index.ts";
import { failure, queued, raw } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, timed } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

describe("submit, refused by a 429", () => {
  it("is sent again after the wait that the service asks for", async () => {
    const server = await listen(failure(429, "slow down", { "retry-after": "1" }), queued());

    const { value: job, ms } = await timed(() => clientOf(server).jobs.submit(paidJob));

    expect(job.job_id).toBe("job-1");
    expect(server.received).toHaveLength(2);
    expect(server.received[1]?.body).toBe(server.received[0]?.body);
    expect(ms).toBeGreaterThanOrEqual(1000);
  });

  const cases: [string, string | undefined, CallOptions, number | undefined][] = [
    ["without a wait", undefined, {}, undefined],
    ["with a wait that makes no sense", "soon", {}, undefined],
    ["with a negative wait", "-5", {}, undefined],
    ["with two waits", "5, 10", {}, undefined],
    ["with a wait in hexadecimal", "0x10", {}, undefined],
    ["with a wait beyond the default time", "121", {}, 121_000],
    ["with a wait beyond the call's timeoutMs", "2", { timeoutMs: 1_500 }, 2_000],
    ["with a wait beyond the call's totalTimeoutMs", "2", { totalTimeoutMs: 1_500 }, 2_000],
    ["with a wait of centuries", "9999999999", {}, 9_999_999_999_000],
    ["with a wait beyond all numbers", "9".repeat(400), {}, 2 ** 53],
    ["with a wait, but no retries left", "0", { maxRetries: 0 }, 0],
  ];

  it.each(cases)("%s, rejects promptly", async (_, retryAfter, options, retryAfterMs) => {
    const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
    const server = await listen(failure(429, "slow down", headers), queued());

    const { value: error, ms } = await timed(() =>
      rejection(clientOf(server).jobs.submit(paidJob, options)),
    );

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({
      name: "ApiError",
      code: "rate_limited",
      status: 429,
      outcome: "refused",
    });
    expect(error.retryAfterMs).toBe(retryAfterMs);
    const hint = retryAfterMs === undefined ? "" : `; try again in ${retryAfterMs / 1000} s`;
    expect(error.message).toBe(
      `POST /v1/jobs answered 429: slow down${hint.replace("9007199254740.992", "9007199254741")}`,
    );
    expect(ms).toBeLessThan(1_000);
  });

  it("is sent three times at most", async () => {
    const server = await listen(raw(429, "", { "retry-after": "0" }));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(server.received).toHaveLength(3);
    expect(error).toMatchObject({ code: "rate_limited", outcome: "refused", attempts: 3 });
  });

  it.each(["0", "-0", "0.000"])("is no burst when it may come back after %j", async (wait) => {
    const server = await listen(failure(429, "slow down", { "retry-after": wait }));
    const waits: number[] = [];
    const client = clientOf(server, {
      maxRetries: 10,
      hooks: { onRetry: ({ waitMs }) => waits.push(waitMs) },
    });

    const error = await rejection(client.jobs.submit(paidJob, { totalTimeoutMs: 500 }));

    // 50, 100 and 200 ms: the next wait would not leave time for an attempt.
    const isZero = wait !== "-0";
    expect(waits).toEqual(isZero ? [50, 100, 200] : []);
    expect(server.received).toHaveLength(isZero ? 4 : 1);
    expect(error).toMatchObject({ code: "rate_limited", outcome: "refused" });
  });

  it("says unknown when a later attempt is", async () => {
    const server = await listen(raw(429, "", { "retry-after": "0" }), failure(500), queued());

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(server.received).toHaveLength(2);
    expect(error).toMatchObject({ code: "server_error", outcome: "unknown", attempts: 2 });
  });
});
