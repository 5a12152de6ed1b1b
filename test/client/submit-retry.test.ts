import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { type CallOptions, createClient } from "../../src/index.ts";
import { failure, queued, raw } from "../helpers/answers.ts";
import { clientOf, fetchError, paidJob, rejection, testKey, timed } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** A port of loopback on which nobody listens. */
const closedPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
};

/** Fails so often with the code, then answers; counts its calls. */
const failing = (code: string, times: number) => {
  const calls: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    if (calls.push(await request.text()) <= times) throw fetchError(code);
    const data = { job_id: "job-1", status: "queued" };
    return Response.json({ success: true, data, error: null }, { status: 202 });
  };
  return { calls, client: createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch }) };
};

describe("submit", () => {
  it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])(
    "is sent again after %s, which proves that nothing was sent",
    async (code) => {
      const { calls, client } = failing(code, 2);

      const job = await client.jobs.submit(paidJob);

      expect(job.job_id).toBe("job-1");
      const body = JSON.stringify(paidJob);
      expect(calls).toEqual([body, body, body]);
    },
  );

  it.each(["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT"])(
    "is not sent again after %s, which proves nothing",
    async (code) => {
      const { calls, client } = failing(code, 1);

      const error = await rejection(client.jobs.submit(paidJob, { maxRetries: 10 }));

      expect(calls).toHaveLength(1);
      expect(error).toMatchObject({
        name: "ConnectionError",
        code: "connection",
        outcome: "unknown",
        attempts: 1,
        cause: { message: `connect ${code}`, code },
      });
    },
  );

  it("gives up a refused connection after two retries, as not sent", async () => {
    const client = clientOf({ url: `http://127.0.0.1:${await closedPort()}` });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(error).toMatchObject({
      name: "ConnectionError",
      code: "connection",
      outcome: "not-sent",
      attempts: 3,
      cause: { code: "ECONNREFUSED" },
    });
    expect(error.message).not.toContain("may exist");
  });

  it("takes a refusal by every address of a host for a refusal", async () => {
    const client = clientOf({ url: `http://localhost:${await closedPort()}` }, { maxRetries: 0 });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(error).toMatchObject({ outcome: "not-sent", cause: { code: "ECONNREFUSED" } });
  });

  it("knows a refusal in another realm too, as in a test runner's sandbox", async () => {
    const error = runInNewContext(
      `new TypeError("fetch failed", {
        cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
      })`,
    );
    const fetch = async (): Promise<never> => {
      throw error;
    };
    const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

    expect(await rejection(client.jobs.submit(paidJob, { maxRetries: 0 }))).toMatchObject({
      code: "connection",
      outcome: "not-sent",
      cause: { message: "connect ECONNREFUSED", code: "ECONNREFUSED" },
    });
  });

  it("does not send again what was never sent, with maxRetries 0", async () => {
    const { calls, client } = failing("ECONNREFUSED", 1);

    const error = await rejection(client.jobs.submit(paidJob, { maxRetries: 0 }));

    expect(calls).toHaveLength(1);
    expect(error).toMatchObject({ outcome: "not-sent", attempts: 1 });
  });

  it("stops sending again at the first failure that proves nothing", async () => {
    const calls: Request[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      throw fetchError(calls.push(request) === 1 ? "ECONNREFUSED" : "ECONNRESET");
    };
    const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(calls).toHaveLength(2);
    expect(error).toMatchObject({ outcome: "unknown", attempts: 2 });
  });
});

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
    expect(error.message).toBe("POST /v1/jobs answered 429: slow down");
    expect(ms).toBeLessThan(1_000);
  });

  it("is sent three times at most", async () => {
    const server = await listen(raw(429, "", { "retry-after": "0" }));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(server.received).toHaveLength(3);
    expect(error).toMatchObject({ code: "rate_limited", outcome: "refused", attempts: 3 });
  });

  it("says unknown when a later attempt is", async () => {
    const server = await listen(raw(429, "", { "retry-after": "0" }), failure(500), queued());

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(server.received).toHaveLength(2);
    expect(error).toMatchObject({ code: "server_error", outcome: "unknown", attempts: 2 });
  });
});
