import { afterEach, describe, expect, test, vi } from "vitest";
import { createMockService, type MockFault } from "../../mocks/index.ts";
import { createAsk, failure } from "./ask.ts";

const headers = { authorization: "Bearer test-key" };
const submission = { method: "POST", headers, body: '{"action":"copy-ad"}' };
const url = "https://ads.test/v1/jobs";

const setUp = () => {
  const service = createMockService({ accounts: { "test-key": {}, "test-b": {} } });
  const submit = () => service.fetch(url, submission);
  const { jobs } = service.account("test-key");
  return { service, submit, jobs, ask: createAsk(service) };
};

/** Gives the service's own answer, without a fault. */
const wholeAnswer = async (): Promise<string> => (await setUp().submit()).text();

afterEach(() => vi.useRealTimers());

describe("a fault of the connection", () => {
  test.each([
    [{ kind: "reset" }, "ECONNRESET", 0],
    [{ kind: "reset", accepted: true }, "ECONNRESET", 1],
    [{ kind: "refuse" }, "ECONNREFUSED", 0],
  ] as const)("%o rejects as fetch does, with %s and %i jobs", async (fault, code, count) => {
    const { service, submit, jobs } = setUp();
    service.faults.play(fault);
    await expect(submit()).rejects.toMatchObject({
      name: "TypeError",
      message: "fetch failed",
      cause: { code },
    });
    expect(jobs.count).toBe(count);
    expect((await submit()).status).toBe(202);
  });

  test.each([false, true])("stalls until the signal aborts; accepted: %s", async (accepted) => {
    const { service, jobs } = setUp();
    service.faults.play({ kind: "stall", accepted });
    const controller = new AbortController();
    const pending = service.fetch(url, { ...submission, signal: controller.signal });
    const settled = vi.fn();
    pending.then(settled, settled);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(settled).not.toHaveBeenCalled();
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
    expect(jobs.count).toBe(accepted ? 1 : 0);
  });
});

test("a signal ends a stall after the test has dropped its reference to the request", async () => {
  const { service } = setUp();
  const controller = new AbortController();
  const { signal } = controller;
  const stalled = ["stall", "stall-body"].map(async (kind) => {
    service.faults.play({ kind } as MockFault, { operation: "jobs.list" });
    return (await service.fetch(new Request(url, { headers, signal }))).text();
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  controller.abort(new Error("enough"));
  for (const wait of stalled) await expect(wait).rejects.toThrow("enough");
});

describe("a fault of the body", () => {
  test("cuts the body after so many bytes", async () => {
    const { service, submit, jobs } = setUp();
    service.faults.play({ kind: "cut-body", afterBytes: 10 });
    const response = await submit();
    expect(response.status).toBe(202);
    expect(response.headers.get("content-length")).toBe(String((await wholeAnswer()).length));
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe('{"success"');
    await expect(reader?.read()).rejects.toMatchObject({
      message: "terminated",
      cause: { code: "UND_ERR_SOCKET" },
    });
    expect(jobs.count).toBe(1);
  });

  test("never cuts the body after its last byte, even when more are asked for", async () => {
    const { service, submit } = setUp();
    service.faults.play({ kind: "cut-body", afterBytes: 1_000_000 });
    await expect((await submit()).text()).rejects.toThrow("terminated");
  });

  test("stalls the body after half of its bytes, until the signal aborts", async () => {
    const { service } = setUp();
    service.faults.play({ kind: "stall-body" });
    const controller = new AbortController();
    const response = await service.fetch(url, { ...submission, signal: controller.signal });
    const reader = response.body?.getReader();
    const length = (await wholeAnswer()).length;
    expect((await reader?.read())?.value).toHaveLength(length >> 1);
    const rest = reader?.read();
    controller.abort(new Error("enough"));
    await expect(rest).rejects.toThrow("enough");
  });

  test("sends the body piece by piece", async () => {
    vi.useFakeTimers();
    const { service, submit } = setUp();
    service.faults.play({ kind: "drip-body", bytes: 40, everyMs: 1_000 });
    const text = (await submit()).text();
    const settled = vi.fn();
    void text.then(settled);
    const pieces = Math.ceil((await wholeAnswer()).length / 40);
    await vi.advanceTimersByTimeAsync((pieces - 1) * 1_000 - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await text).toBe(await wholeAnswer());
  });

  test("leaves no timer when the reader cancels", async () => {
    vi.useFakeTimers();
    const { service, submit } = setUp();
    service.faults.play({ kind: "drip-body" });
    const reader = (await submit()).body?.getReader();
    await reader?.read();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    await reader?.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("does nothing to an answer without a body", async () => {
    const { service } = setUp();
    service.faults.play({ kind: "cut-body" });
    const response = await service.fetch(url, { method: "HEAD", headers });
    expect(await response.text()).toBe("");
  });
});

describe("a fault of the answer", () => {
  test("is JSON that ends in the middle, after the service has carried the request out", async () => {
    const { service, submit, jobs } = setUp();
    service.faults.play({ kind: "wrong-json" });
    const response = await submit();
    expect(response.status).toBe(202);
    expect(response.headers.get("content-type")).toBe("application/json");
    const text = await response.text();
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect((await wholeAnswer()).startsWith(text)).toBe(true);
    expect(jobs.count).toBe(1);
  });

  test.each([
    [{ kind: "html" }, 502, "<h1>502 Bad Gateway</h1>"],
    [{ kind: "html", status: 200 }, 200, "<h1>200</h1>"],
  ] as const)("is a page: %o", async (fault, status, text) => {
    const { service, submit, jobs } = setUp();
    service.faults.play(fault);
    const response = await submit();
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toContain(text);
    expect(jobs.count).toBe(0);
  });

  test.each([
    [undefined, 1_000, "1"],
    [0, 0, "0"],
    [1_500, 1_500, "2"],
  ])("is a 429 that asks for %s ms", async (retryAfterMs, _, header) => {
    const { service, submit, jobs } = setUp();
    service.faults.play({
      kind: "rate-limit",
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
    const response = await submit();
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, header]);
    expect(await response.text()).toBe(failure("Too many requests"));
    expect(jobs.count).toBe(0);
  });

  test("is any status, with an envelope", async () => {
    const { service, submit, jobs } = setUp();
    service.faults.play({ kind: "status", status: 503 });
    const response = await submit();
    expect(response.status).toBe(503);
    expect(await response.text()).toBe(failure("The service answers with 503"));
    expect(jobs.count).toBe(0);
  });

  test("is any status, with headers and body", async () => {
    const { service, submit, jobs } = setUp();
    service.faults.play({
      kind: "status",
      status: 418,
      headers: { "Content-Type": "text/plain", "X-Teapot": "short", "X-Request-Id": "tea_1" },
      body: "and stout",
      accepted: true,
    });
    service.faults.play({ kind: "status", status: 500, body: { oops: [1] } });
    service.faults.play({ kind: "status", status: 204 });
    const teapot = await submit();
    expect(teapot.status).toBe(418);
    expect(teapot.headers.get("content-type")).toBe("text/plain");
    expect(teapot.headers.get("x-teapot")).toBe("short");
    expect(teapot.headers.get("x-request-id")).toBe("tea_1");
    expect(await teapot.text()).toBe("and stout");
    expect(jobs.count).toBe(1);
    expect(await (await submit()).json()).toEqual({ oops: [1] });
    const empty = await submit();
    expect([empty.status, empty.body]).toEqual([204, null]);
  });
});

describe("latency", () => {
  test("delays the answer, and not the request", async () => {
    vi.useFakeTimers();
    const { service, submit, jobs } = setUp();
    service.faults.play({ kind: "latency", ms: 3_000 });
    const settled = vi.fn();
    const pending = submit();
    void pending.then(settled);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(jobs.count).toBe(1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect((await pending).status).toBe(202);
  });

  test("goes together with another fault", async () => {
    vi.useFakeTimers();
    const { service, submit } = setUp();
    service.faults.play({ kind: "status", status: 503 });
    service.faults.play({ kind: "latency", ms: 1_000 });
    const pending = submit();
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await pending).status).toBe(503);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is drawn by the seed", async () => {
    const delays = async (seed: string): Promise<number[]> => {
      const service = createMockService({ seed });
      service.faults.play({ kind: "latency", ms: { min: 0, max: 10_000 } }, { times: 20 });
      const request = () => new Request(url, { headers });
      const replies = Array.from(
        { length: 20 },
        async () => (await service.reply(request())).delayMs,
      );
      return Promise.all(replies);
    };
    const first = await delays("one");
    expect(new Set(first).size).toBeGreaterThan(15);
    expect(first.every((ms) => ms >= 0 && ms <= 10_000)).toBe(true);
    expect(await delays("one")).toEqual(first);
    expect(await delays("two")).not.toEqual(first);
  });

  test("ends with the signal, and leaves no timer", async () => {
    vi.useFakeTimers();
    const { service } = setUp();
    service.faults.play({ kind: "latency", ms: 3_000 });
    const controller = new AbortController();
    const pending = service.fetch(url, { headers, signal: controller.signal });
    const expectation = expect(pending).rejects.toMatchObject({ name: "AbortError" });
    await vi.advanceTimersByTimeAsync(10);
    controller.abort();
    await expectation;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the requests that meet a fault", () => {
  test("are those of the API: a poll at another path uses up no plan", async () => {
    const { service } = setUp();
    service.faults.play({ kind: "status", status: 503 });
    for (const path of ["/", "/health", "/v1/nothing"]) {
      expect((await service.fetch(`https://ads.test${path}`, { headers })).status).toBe(404);
    }
    expect(service.faults.planned).toMatchObject([{ played: 0 }]);
    expect((await service.fetch(url, { headers })).status).toBe(503);
  });

  const down: MockFault = { kind: "status", status: 503 };

  test("are the next one by default, or the next few", async () => {
    const { service, ask } = setUp();
    const planned = service.faults.play(down, { times: 2 });
    expect(planned).toEqual({ id: "fault_1", fault: down, times: 2, played: 0, remaining: 2 });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await ask("GET", "/v1/jobs")).status);
    expect(statuses).toEqual([503, 503, 200]);
    expect(service.faults.planned).toEqual([]);
  });

  test("can be all, until the test takes the fault back", async () => {
    const { service, ask } = setUp();
    const { id } = service.faults.play(down, { times: Number.POSITIVE_INFINITY });
    for (let count = 0; count < 5; count += 1) {
      expect((await ask("GET", "/v1/brands")).status).toBe(503);
    }
    expect(service.faults.planned[0]).toMatchObject({
      played: 5,
      remaining: Number.POSITIVE_INFINITY,
    });
    expect([service.faults.remove(id), service.faults.remove(id)]).toEqual([true, false]);
    expect((await ask("GET", "/v1/brands")).status).toBe(200);
  });

  test("can be those of one operation, or of several", async () => {
    const { service, ask } = setUp();
    service.faults.play(down, { operation: "jobs.submit" });
    service.faults.play(
      { kind: "status", status: 500 },
      { operation: ["brands.list", "jobs.get"] },
    );
    expect((await ask("GET", "/v1/jobs")).status).toBe(200);
    expect((await ask("GET", "/v1/nowhere")).status).toBe(404);
    expect((await ask("GET", "/v1/jobs/x")).status).toBe(500);
    expect((await ask("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(503);
    expect((await ask("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(202);
  });

  test("are drawn by the seed where a probability is given", async () => {
    const outages = async (seed: string): Promise<string> => {
      const service = createMockService({ seed });
      service.faults.play(down, { times: Number.POSITIVE_INFINITY, probability: 0.3 });
      const ask = createAsk(service);
      let seen = "";
      for (let count = 0; count < 200; count += 1) {
        seen += (await ask("GET", "/v1/jobs")).status === 503 ? "x" : ".";
      }
      return seen;
    };
    const first = await outages("one");
    const met = first.replaceAll(".", "").length;
    expect(met).toBeGreaterThan(35);
    expect(met).toBeLessThan(85);
    expect(await outages("one")).toBe(first);
    expect(await outages("two")).not.toBe(first);
  });

  test("does not change with the objects that the test has handed in or got", () => {
    const { service } = setUp();
    const fault = { kind: "status" as const, status: 503, headers: { a: "1" } };
    const operation: ("jobs.get" | "jobs.list")[] = ["jobs.get"];
    const planned = service.faults.play(fault, { operation });
    fault.status = 500;
    operation.push("jobs.list");
    expect(() => Object.assign(planned.fault, { status: 500 })).toThrow(TypeError);
    expect(service.faults.planned[0]).toMatchObject({
      fault: { status: 503, headers: { a: "1" } },
      operation: ["jobs.get"],
    });
  });
});

describe("a fault that makes no sense", () => {
  test.each([
    [null, "fault must be an object"],
    [{}, "fault.kind must be one of reset, stall, "],
    [{ kind: "fire" }, "fault.kind must be one of"],
    [{ kind: "reset", after: 5 }, 'fault has no field "after"; it has kind, accepted'],
    [{ kind: "refuse", accepted: true }, 'fault has no field "accepted"; it has kind'],
    [{ kind: "status", stauts: 503 }, 'no field "stauts"; it has kind, status, headers, body'],
    [{ kind: "reset", accepted: "yes" }, "fault.accepted must be true or false"],
    [{ kind: "status" }, "fault.status must be a whole number from 200 to 599; it is missing"],
    [{ kind: "status", status: 101 }, "from 200 to 599; it is 101"],
    [{ kind: "status", status: 503, headers: { "bad name": "x" } }, "fault.headers must be"],
    [{ kind: "status", status: 503, headers: { x: "a\r\nb: c" } }, "fault.headers must be"],
    [{ kind: "status", status: 503, headers: { x: "\u0001" } }, "fault.headers must be"],
    [{ kind: "status", status: 503, headers: { "Content-Length": "3" } }, "fault.headers must be"],
    [{ kind: "status", status: 503, body: () => 1 }, "fault.body must be text or JSON"],
    [{ kind: "html", status: 600 }, "fault.status must be"],
    [{ kind: "cut-body", afterBytes: -1 }, "fault.afterBytes must be a whole number"],
    [{ kind: "drip-body", bytes: 0 }, "fault.bytes must be"],
    [{ kind: "drip-body", everyMs: Number.NaN }, "fault.everyMs must be"],
    [{ kind: "rate-limit", retryAfterMs: Number.POSITIVE_INFINITY }, "fault.retryAfterMs must be"],
    [{ kind: "latency" }, "fault.ms must be milliseconds, zero or more"],
    [{ kind: "latency", ms: 2 ** 31 }, "fault.ms must be"],
    [{ kind: "latency", ms: { min: 2, max: 1 } }, "fault.ms must be in order"],
  ])("is refused: %o", (fault, message) => {
    const { service } = setUp();
    expect(() => service.faults.play(fault as MockFault)).toThrow(message);
    expect(() => service.faults.play(fault as MockFault)).toThrow(TypeError);
    expect(service.faults.planned).toEqual([]);
  });

  test.each([
    [{ times: 0 }, "fault options.times must be "],
    [{ operation: "jobs.pay" }, "fault options.operation must be one or more of jobs.submit, "],
    [{ operation: [] }, "fault options.operation must be one or more of jobs.submit, "],
    [{ operation: ["jobs.get", "x"] }, "fault options.operation[1] must be one of jobs.submit, "],
    [{ account: 1 }, "fault options.account must be "],
    [{ probability: 1.5 }, "fault options.probability must be "],
    [{ route: "jobs.get" }, 'fault options have no field "route"; they have times, operation, '],
  ])("is refused with the options %o", (options, message) => {
    const { service } = setUp();
    expect(() => service.faults.play({ kind: "reset" }, options as never)).toThrow(
      `The mock's ${message}`,
    );
  });

  test("is refused for an unknown account, and for another one than its own", () => {
    const { service } = setUp();
    expect(() => service.faults.play({ kind: "html" }, { account: "test-c" })).toThrow(
      'The mock has no account "test-c"',
    );
    const { faults } = service.account("test-b");
    expect(() => faults.play({ kind: "html" }, { account: "test-key" })).toThrow(
      'The mock\'s fault options.account must be left out or "test-b"',
    );
    expect(faults.play({ kind: "html" }, { account: "test-b" }).account).toBe("test-b");
  });

  test("is refused when a face in use cannot play it", () => {
    const { service } = setUp();
    const detach = service.attach({ name: "The carrier pigeon", cannotPlay: ["drip-body"] });
    expect(() => service.faults.play({ kind: "drip-body" })).toThrow(
      'The carrier pigeon cannot play the fault "drip-body"',
    );
    expect(() => service.account("test-b").faults.play({ kind: "drip-body" })).toThrow(TypeError);
    detach();
    service.faults.play({ kind: "drip-body" });
    expect(() => service.attach({ name: "The pigeon", cannotPlay: ["drip-body"] })).toThrow(
      'The pigeon cannot play the fault "drip-body"',
    );
  });
});
