import { afterEach, describe, expect, it, vi } from "vitest";
import type { ClientHooks, DriftEvent, ResponseEvent, ResponseInfo } from "../../src/index.ts";
import { failure, queued, reset, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

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

describe("hooks", () => {
  it("see each request and each answer, in order", async () => {
    const server = await listen(
      failure(503, "busy", { "retry-after": "0", "x-request-id": "req-1" }),
      success({ status: "queued" }, 200, { "x-request-id": "req-2" }),
    );
    const { events, hooks } = noting();

    await clientOf(server, { hooks }).jobs.get("a/b");

    const common = { method: "GET", path: "/v1/jobs/a%2Fb" };
    const first = { ...common, attempt: 1 };
    const second = { ...common, attempt: 2 };
    const durationMs = expect.any(Number);
    expect(events).toEqual([
      ["request", first],
      ["response", { ...first, status: 503, requestId: "req-1", retryAfterMs: 0, durationMs }],
      ["retry", { ...first, code: "server_error", status: 503, requestId: "req-1", waitMs: 50 }],
      ["request", second],
      ["response", { ...second, status: 200, requestId: "req-2", durationMs }],
    ]);
  });

  it("see no answer where there is none", async () => {
    const server = await listen(reset, success([]));
    const { events, hooks } = noting();

    await clientOf(server, { hooks }).brands.list({ query: { limit: 1 } });

    expect(events.map(([name]) => name)).toEqual(["request", "retry", "request", "response"]);
    expect(events[1]?.[1]).toEqual({
      method: "GET",
      path: "/v1/brands",
      attempt: 1,
      code: "connection",
      waitMs: expect.any(Number),
    });
  });

  it("see no retry where there is none", async () => {
    const server = await listen(failure(500));
    const { events, hooks } = noting();

    await rejection(clientOf(server, { hooks }).jobs.submit(paidJob));

    expect(events.map(([name]) => name)).toEqual(["request", "response"]);
  });

  it("are told how long the headers took", async () => {
    const server = await listen((response, request) => {
      setTimeout(() => success({ status: "queued" })(response, request), 40);
    });
    const { events, hooks } = noting();

    await clientOf(server, { hooks }).jobs.get("j");

    const durations = events.flatMap(([, event]) => (event as ResponseEvent).durationMs ?? []);
    expect(durations).toHaveLength(1);
    expect(durations[0]).toBeGreaterThanOrEqual(38);
    expect(durations[0]).toBeLessThan(1_000);
  });

  it("are told of an undocumented job status", async () => {
    const server = await listen(
      success({ status: "paused" }),
      success({ jobs: [{ job_id: "j", status: "expired" }] }),
    );
    const { events, hooks } = noting();
    const { jobs } = clientOf(server, { hooks });

    expect((await jobs.get("j")).status).toBe("paused");
    await jobs.list();

    expect(events.filter(([name]) => name === "drift").map(([, event]) => event)).toEqual([
      { method: "GET", path: "/v1/jobs/j", message: "job status paused" },
      { method: "GET", path: "/v1/jobs", message: "job status expired" },
    ]);
  });

  it("are told of it on one line, without the key and bounded", async () => {
    const status = `done\n2026-11-22 ERROR \u001b[31m Bearer ${testKey} ${"x".repeat(5_000)}`;
    const server = await listen(success({ status }));
    const { events, hooks } = noting();

    await clientOf(server, { hooks }).jobs.get("j");

    const [, event] = events.find(([name]) => name === "drift") ?? [];
    const { message } = event as DriftEvent;
    expect(message).toMatch(/^job status done 2026-11-22 ERROR/);
    expect(message).not.toContain(testKey);
    expect(message).not.toMatch(/\p{Cc}/u);
    expect(message.length).toBeLessThan(100);
  });

  it.each([
    [
      "throw",
      () => {
        throw new Error("a bug in the hook");
      },
    ],
    ["reject", () => Promise.reject(new Error("a bug in the hook"))],
    ["throw undefined", () => Promise.reject(undefined)],
  ])("that %s change nothing, and are printed", async (_, fail) => {
    const server = await listen(
      failure(503, "busy", { "retry-after": "0" }),
      success({ status: "paused" }),
    );
    const hooks = { onRequest: fail, onResponse: fail, onRetry: fail, onDrift: fail };

    const job = await clientOf(server, { hooks }).jobs.get("j", { onResponse: fail });

    expect(job.status).toBe("paused");
    expect(server.received).toHaveLength(2);
    await expect.poll(() => print).toHaveBeenCalledTimes(8);
    expect(print.mock.calls[0]?.[0]).toBe("adgen-sdk: onRequest failed");
  });

  it("that never come back hold nothing up", async () => {
    const server = await listen(queued());
    const hang = () => new Promise<void>(() => {});
    const hooks = { onRequest: hang, onResponse: hang };

    expect((await clientOf(server, { hooks }).jobs.submit(paidJob)).job_id).toBe("job-1");
  });
});

describe("a call's onResponse", () => {
  it("gets status, headers, request id and wait of every answer", async () => {
    const server = await listen(
      failure(503, "busy", { "retry-after": "0", "x-request-id": "req-1" }),
      success({ status: "queued" }, 200, { "x-request-id": "req-2", "x-credits-left": "7" }),
    );
    const seen: ResponseInfo[] = [];

    await clientOf(server).jobs.get("j", { onResponse: (response) => seen.push(response) });

    expect(seen).toMatchObject([
      { status: 503, requestId: "req-1", retryAfterMs: 0 },
      { status: 200, requestId: "req-2" },
    ]);
    expect(seen[1]?.headers.get("x-credits-left")).toBe("7");
  });

  it("is called before the answer is decoded, so that a failure can be looked at too", async () => {
    const server = await listen(failure(402, "no credits", { "x-credits-left": "0" }));
    const left: unknown[] = [];

    await rejection(
      clientOf(server).jobs.submit(paidJob, {
        onResponse: ({ headers }) => left.push(headers.get("x-credits-left")),
      }),
    );

    expect(left).toEqual(["0"]);
  });
});
