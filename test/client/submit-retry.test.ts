import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/index.ts";
import { clientOf, fetchError, paidJob, rejection, testKey } from "../helpers/client.ts";

/** A port of loopback on which nobody listens. */
const closedPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
};

const baseUrl = "http://ads.test";

/** Makes the global `fetch` throw so often, its body unread, and then answer; notes the bodies. */
const stubFetch = (thrown: unknown, times: number) => {
  const calls: string[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit): Promise<Response> => {
    if (calls.length < times) {
      calls.push("unread");
      throw thrown;
    }
    calls.push(await new Request(url, init).text());
    const data = { job_id: "job-1", status: "queued" };
    return Response.json({ success: true, data, error: null }, { status: 202 });
  });
  return { calls, client: createClient({ baseUrl, apiKey: testKey }) };
};

const failing = (code: string, times: number) => stubFetch(fetchError(code), times);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("submit", () => {
  it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])(
    "is sent again after %s, which proves that nothing was sent",
    async (code) => {
      const { calls, client } = failing(code, 2);

      const job = await client.jobs.submit(paidJob);

      expect(job.job_id).toBe("job-1");
      expect(calls).toEqual(["unread", "unread", JSON.stringify(paidJob)]);
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

  it.each(["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"])(
    "is sent again after a connect that ends with %s",
    async (code) => {
      const cause = Object.assign(new Error(`connect ${code}`), { code, syscall: "connect" });
      const { calls, client } = stubFetch(new TypeError("fetch failed", { cause }), 1);

      expect((await client.jobs.submit(paidJob)).job_id).toBe("job-1");

      expect(calls).toHaveLength(2);
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
    const { client } = stubFetch(error, 1);

    expect(await rejection(client.jobs.submit(paidJob, { maxRetries: 0 }))).toMatchObject({
      code: "connection",
      outcome: "not-sent",
      cause: { message: "connect ECONNREFUSED", code: "ECONNREFUSED" },
    });
  });

  it("makes no second attempt with maxRetries 0, even if nothing was sent", async () => {
    const { calls, client } = failing("ECONNREFUSED", 1);

    const error = await rejection(client.jobs.submit(paidJob, { maxRetries: 0 }));

    expect(calls).toHaveLength(1);
    expect(error).toMatchObject({ outcome: "not-sent", attempts: 1 });
  });

  it("stops sending again at the first failure that proves nothing", async () => {
    const calls: unknown[] = [];
    vi.stubGlobal("fetch", async (url: unknown) => {
      throw fetchError(calls.push(url) === 1 ? "ECONNREFUSED" : "ECONNRESET");
    });
    const client = createClient({ baseUrl, apiKey: testKey });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(calls).toHaveLength(2);
    expect(error).toMatchObject({ outcome: "unknown", attempts: 2 });
  });
});
