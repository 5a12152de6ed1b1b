import { afterEach, describe, expect, it, vi } from "vitest";
import type { ClientHooks, DriftEvent, ResponseInfo } from "../../src/index.ts";
import { failure, queued, reset, success } from "../helpers/answers.ts";
import { failing, get, respond, submit } from "../helpers/calls.ts";
import { clientOf, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { play } from "../helpers/virtual-time.ts";

/** Hooks that write down what they see. */
const noting = () => {
  const events: [string, unknown][] = [];
  const note = (name: string) => (event: unknown) => void events.push([name, event]);
  const hooks: ClientHooks = {
    onRequest: note("request"),
    onResponse: note("response"),
    onRetry: note("retry"),
    onDrift: note("drift"),
  };
  return { events, hooks };
};

const print = vi.spyOn(console, "error").mockImplementation(() => {});
afterEach(() => void print.mockClear());

const busy = failure(503, "busy", { "retry-after": "0", "x-request-id": "req-1" });
const found = success({ status: "queued" }, 200, { "x-request-id": "req-2", "x-credits": "7" });

describe("hooks", () => {
  const call = { method: "GET", path: "/v1/jobs/a%2Fb" };
  const first = { ...call, attempt: 1 };
  const second = { ...call, attempt: 2 };
  const durationMs = expect.any(Number);
  const answered = ["response", { ...second, status: 200, requestId: "req-2", durationMs }];

  it.each<[string, Answer, unknown[]]>([
    [
      "each answer",
      busy,
      [
        ["response", { ...first, status: 503, requestId: "req-1", retryAfterMs: 0, durationMs }],
        ["retry", { ...first, code: "server_error", status: 503, requestId: "req-1", waitMs: 50 }],
      ],
    ],
    [
      "no answer where there is none",
      reset,
      [["retry", { ...first, code: "connection", waitMs: expect.any(Number) }]],
    ],
  ])("see each request and %s, in order", async (_, answer, between) => {
    const { events, hooks } = noting();
    await clientOf(await listen(answer, found), { hooks }).jobs.get("a/b");
    expect(events).toEqual([["request", first], ...between, ["request", second], answered]);
  });

  it("see no retry where there is none", async () => {
    const { events, hooks } = noting();
    await failing(failure(500), submit, { hooks });
    expect(events.map(([name]) => name)).toEqual(["request", "response"]);
  });

  it("are told how long the headers took", async () => {
    const { events, hooks } = noting();
    const slow = () =>
      new Promise((resolve) => setTimeout(() => resolve(respond({ status: "queued" })), 40));

    await play([slow], get, { hooks });

    expect(events).toMatchObject([
      ["request", {}],
      ["response", { durationMs: 40 }],
    ]);
  });

  it("are told of drift on one line, without the key and bounded", async () => {
    const status = `done\n2026-11-22 ERROR \u001b[31m Bearer ${testKey} ${"x".repeat(5_000)}`;
    const { events, hooks } = noting();

    await get(clientOf(await listen(success({ status })), { hooks }));

    const [, event] = events.find(([name]) => name === "drift") ?? [];
    const { message } = event as DriftEvent;
    expect(message).toMatch(/^job status done 2026-11-22 ERROR/);
    expect(message).not.toContain(testKey);
    expect(message).not.toMatch(/\p{Cc}/u);
    expect(message.length).toBeLessThan(100);
  });

  it.each<[string, () => unknown]>([
    ["throw", () => expect.fail("a bug in the hook")],
    ["reject", () => Promise.reject(new Error("a bug in the hook"))],
    ["reject with undefined", () => Promise.reject(undefined)],
  ])("that %s change nothing, and are printed", async (_, bug) => {
    const fail = bug as () => void;
    const server = await listen(busy, success({ status: "paused" }));
    const hooks = { onRequest: fail, onResponse: fail, onRetry: fail, onDrift: fail };

    const job = await clientOf(server, { hooks }).jobs.get("j", { onResponse: fail });

    expect(job.status).toBe("paused");
    expect(server.received).toHaveLength(2);
    await expect.poll(() => print).toHaveBeenCalledTimes(8);
    expect(print.mock.calls[0]?.[0]).toBe("adgen-sdk: onRequest failed");
  });

  it("that never come back hold nothing up", async () => {
    const hang = () => new Promise<void>(() => {});
    const client = clientOf(await listen(queued()), {
      hooks: { onRequest: hang, onResponse: hang },
    });

    expect(await submit(client)).toMatchObject({ job_id: "job-1" });
  });
});

describe("a call's onResponse", () => {
  it("gets status, headers, request id and wait of every answer, also of a failure", async () => {
    const gone = failure(404, "gone", { "x-credits": "0" });
    const seen: ResponseInfo[] = [];

    await failing([busy, gone], ({ jobs }) =>
      jobs.get("j", { onResponse: (response) => seen.push(response) }),
    );

    expect(seen).toMatchObject([
      { status: 503, requestId: "req-1", retryAfterMs: 0 },
      { status: 404 },
    ]);
    expect(seen[1]?.headers.get("x-credits")).toBe("0");
  });
});
