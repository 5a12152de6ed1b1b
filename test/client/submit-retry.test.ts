import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient, markAsNotSent } from "../../src/index.ts";
import { clientOf, fetchError, paidJob, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";

// No attempt waits for the one before.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

type Way = "the default fetch" | "the caller's fetch";

/** Makes the `fetch` of a client throw so often, the body unread, and then answer; notes the bodies. */
const failing = (way: Way, thrown: unknown, times = 1) => {
  const calls: string[] = [];
  const fetch = async (url: Request | string, init?: RequestInit): Promise<Response> => {
    if (calls.length < times) {
      calls.push("unread");
      throw thrown;
    }
    calls.push(await new Request(url, init).text());
    const data = { job_id: "job-1", status: "queued" };
    return Response.json({ success: true, data, error: null }, { status: 202 });
  };
  if (way === "the default fetch") vi.stubGlobal("fetch", fetch);
  const own = way === "the caller's fetch" && { fetch };
  return { calls, client: createClient({ baseUrl: "http://ads.test", apiKey: testKey, ...own }) };
};

/** The error of a connection that was not made. */
const notConnected = (code: string): TypeError => {
  const cause = Object.assign(new Error(`connect ${code}`), { code, syscall: "connect" });
  return new TypeError("fetch failed", { cause });
};

/** As in a test runner's sandbox. */
const ofAnotherRealm = () =>
  runInNewContext(
    `new TypeError("fetch failed", {
      cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
    })`,
  );

describe("submit is sent again", () => {
  const proofs = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];
  const ofConnect = ["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"];

  type Row = [Way, string, object];

  it.each<Row>([
    ...proofs.map((code): Row => ["the default fetch", code, fetchError(code)]),
    ...ofConnect.map((code): Row => ["the default fetch", code, notConnected(code)]),
    ["the default fetch", "ECONNREFUSED of another realm", ofAnotherRealm()],
    ["the caller's fetch", "a plain error", markAsNotSent(new Error("offline"))],
    ["the caller's fetch", "the error of a fetch", markAsNotSent(fetchError("ECONNREFUSED"))],
    ["the caller's fetch", "a DOMException", markAsNotSent(new DOMException("no", "NetworkError"))],
    ["the caller's fetch", "an object that is no error", markAsNotSent({ message: "offline" })],
  ])("through %s after what proves that nothing was sent: %s", async (way, _, thrown) => {
    const { calls, client } = failing(way, thrown, 2);

    expect((await client.jobs.submit(paidJob)).job_id).toBe("job-1");

    expect(calls).toEqual(["unread", "unread", JSON.stringify(paidJob)]);
  });
});

describe("submit is not sent again", () => {
  it.each<[Way, string]>([
    ["the default fetch", "ECONNRESET"],
    ["the default fetch", "EPIPE"],
    ["the default fetch", "ETIMEDOUT"],
    ["the default fetch", "UND_ERR_SOCKET"],
    ["the default fetch", "UND_ERR_HEADERS_TIMEOUT"],
    ["the caller's fetch", "ECONNREFUSED"],
    ["the caller's fetch", "ENOTFOUND"],
  ])("through %s after %s, which proves nothing", async (way, code) => {
    const { calls, client } = failing(way, fetchError(code));

    const error = await rejection(client.jobs.submit(paidJob, { maxRetries: 10 }));

    expect(calls).toEqual(["unread"]);
    expect(error).toMatchObject({
      ...{ name: "ConnectionError", code: "connection", outcome: "unknown", attempts: 1 },
      cause: { message: `connect ${code}`, code },
      message: `POST /v1/jobs got no answer: connect ${code}${doubtOfSubmission}`,
    });
  });

  it.each([undefined, null, "text", 7, Symbol("s"), Object.create(null)])(
    "after %o, which is no error",
    async (thrown) => {
      const { calls, client } = failing("the caller's fetch", thrown);

      const error = await rejection(client.jobs.submit(paidJob));

      expect(calls).toEqual(["unread"]);
      expect(error).toMatchObject({ code: "connection", outcome: "unknown" });
    },
  );
});

it("is not-sent when the last error says so, or its copy of another realm", async () => {
  const offline = markAsNotSent(new Error("offline"));

  const error = await rejection(
    failing("the caller's fetch", offline, 9).client.jobs.submit(paidJob, { maxRetries: 1 }),
  );
  const elsewhere = await rejection(
    failing("the default fetch", ofAnotherRealm()).client.jobs.submit(paidJob, { maxRetries: 0 }),
  );

  expect(error).toMatchObject({ code: "connection", outcome: "not-sent", attempts: 2 });
  expect(error.message).toBe("POST /v1/jobs got no answer: offline");
  const cause = { message: "connect ECONNREFUSED", code: "ECONNREFUSED" };
  expect(elsewhere).toMatchObject({ code: "connection", outcome: "not-sent", cause });
});

it.each(["127.0.0.1", "localhost"])("gives a port of %s without a listener up", async (host) => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));

  const error = await rejection(clientOf({ url: `http://${host}:${port}` }).jobs.submit(paidJob));

  expect(error).toMatchObject({
    ...{ name: "ConnectionError", code: "connection", outcome: "not-sent", attempts: 3 },
    cause: { code: "ECONNREFUSED" },
  });
  expect(error.message).not.toContain("may exist");
});

it("markAsNotSent gives back the same error, with a mark that no printer shows", () => {
  const error = new Error("offline");

  expect(markAsNotSent(error)).toBe(error);
  expect(Object.keys(error)).toEqual([]);
  expect(JSON.stringify({ ...error })).toBe("{}");
});
