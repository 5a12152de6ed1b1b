import { afterEach, describe, expect, it, vi } from "vitest";
import { type ClientOptions, markAsNotSent } from "../../src/index.ts";
import { failure, queued } from "../helpers/answers.ts";
import { block } from "../helpers/block.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

afterEach(() => void vi.unstubAllGlobals());

const body = '{"success":true,"data":{"job_id":"job-1","status":"queued"},"error":null}';

const submitWith = (fetch: unknown, options: ClientOptions = {}) =>
  clientOf({ url: "http://ads.test" }, { ...options, fetch: fetch as never }).jobs.submit(paidJob);

describe("an answer of another fetch library", () => {
  it("is read when its stream gives texts", async () => {
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue(body);
        controller.close();
      },
    });

    expect((await submitWith(async () => new Response(stream, { status: 202 }))).job_id).toBe(
      "job-1",
    );
  });

  it.each([7, {}, null])("is a connection error when its stream gives %j", async (chunk) => {
    const reader = { read: async () => ({ done: false, value: chunk }) };
    const response = { status: 202, headers: new Headers(), body: { getReader: () => reader } };

    const error = await rejection(submitWith(async () => response));

    expect(error).toMatchObject({ code: "connection", outcome: "unknown", status: 202 });
    expect(error.message).toContain("your fetch's body gave");
  });

  it("ends no process when its reader has no cancel, and is too large", async () => {
    const reader = { read: async () => ({ done: false, value: new Uint8Array(10) }) };
    const response = { status: 202, headers: new Headers(), body: { getReader: () => reader } };

    const error = await rejection(submitWith(async () => response, { maxResponseBytes: 5 }));

    expect(error).toMatchObject({ code: "decode", reason: "too-large", outcome: "unknown" });
  });
});

describe("an error that resists", () => {
  const trap = () => {
    throw Object.create(null);
  };
  it.each<[string, unknown]>([
    ["a message that cannot be text", { message: { toString: trap } }],
    ["a code without a prototype", { code: Object.create(null) }],
    ["a getter that throws", Object.defineProperty(new Error("no"), "code", { get: trap })],
    [
      "itself as its cause",
      (() => {
        const error = new Error("loop");
        error.cause = error;
        return error;
      })(),
    ],
    ["a function", Object.assign(() => {}, { toString: trap })],
    ["nothing", undefined],
  ])("is a typed one: %s", async (_, thrown) => {
    const refuse = async () => {
      throw thrown;
    };
    const own = await rejection(submitWith(refuse));
    vi.stubGlobal("fetch", refuse);
    const global = await rejection(clientOf({ url: "http://ads.test" }).jobs.submit(paidJob));

    expect(own).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    expect(global).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
  });

  it("proves nothing by the mark of its cause: another try may have been made since", async () => {
    let calls = 0;
    const cause = markAsNotSent(new Error("offline"));
    const error = await rejection(
      submitWith(async () => {
        calls++;
        throw new Error("all attempts failed", { cause });
      }),
    );

    expect(calls).toBe(1);
    expect(error.outcome).toBe("unknown");
  });
});

describe("a process that is held up", () => {
  it.each([5, 20, 40])(
    "reads the answer that is there when its timer is %i ms late",
    { retry: 5 }, // a busy machine may hold the process up itself
    async (late) => {
      const server = await listen((response, request) => {
        setTimeout(() => queued()(response, request), 20);
        // The server shares this loop: it has answered when the loop is blocked.
        setTimeout(() => setImmediate(() => block(500 - 60 + late)), 60);
      });

      const job = await clientOf(server, { timeoutMs: 500 }).jobs.submit(paidJob);

      expect(job.job_id).toBe("job-1");
    },
  );

  it("tells the refusal when the pause before a retry takes all the time", async () => {
    const server = await listen(failure(429, "slow down", { "retry-after": "0.2" }));
    const onRetry = () => void setTimeout(() => block(1_000));
    const client = clientOf(server, { totalTimeoutMs: 800, hooks: { onRetry } });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "rate_limited", outcome: "refused" });
    expect(server.received).toHaveLength(1);
  });

  it("sends nothing when a hook has used the time up", async () => {
    const server = await listen(queued());
    const hooks = { onRequest: () => block(150) };

    const error = await rejection(clientOf(server, { timeoutMs: 100, hooks }).jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "timeout", outcome: "not-sent" });
    expect(server.received).toHaveLength(0);
  });
});

describe("the body of a POST", () => {
  it("stays unrepeatable where an application plays a browser by its navigator alone", async () => {
    vi.stubGlobal("navigator", { userAgent: "Mozilla/5.0 (SSR)" });
    const inits: RequestInit[] = [];
    vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
      inits.push(init);
      return new Response(body, { status: 202 });
    });

    await clientOf({ url: "http://ads.test" }).jobs.submit(paidJob);

    expect(inits[0]?.body).toBeInstanceOf(ReadableStream);
  });
});
