import { HttpResponse, http } from "msw";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { setupMockWorker } from "../../mocks/browser.ts";
import type { MockFault } from "../../mocks/faults/fault.ts";
import { createClient } from "../../src/index.ts";

const mock = setupMockWorker({ baseUrl: "https://ads.test/api" });
const { service, worker, reset } = mock;
beforeAll(mock.start);
afterEach(mock.reset);
afterAll(mock.stop);

const client = createClient({
  baseUrl: "https://ads.test/api",
  apiKey: "test-key",
  allowBrowserKey: true,
});

const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
const ask = (path = "/v1/jobs", init: RequestInit = {}): Promise<Response> =>
  fetch(`https://ads.test/api${path}`, { headers, ...init });

const rejection = (pending: Promise<unknown>): Promise<Error> =>
  pending.then(
    () => new Error("It answered"),
    (error) => error,
  );

describe("setupMockWorker", () => {
  test("serves the client, from the submission to the result, without a wait", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    const before = service.journal.count;
    const finished = await client.jobs.submitAndPoll({ action: "generate-ad", variations: 2 });
    // A wait for the next poll would be a second at least; the limits of requests are far longer.
    const waits = timers.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms < 20_000);
    timers.mockRestore();
    expect(service.journal.count - before).toBe(3);
    expect(Math.max(0, ...waits)).toBeLessThan(250);
    expect(finished).toMatchObject({ status: "completed", result: { images: { length: 2 } } });
    service.account("test-key").assertCharges([{ jobId: finished.job_id, amount: 2 }]);
  });

  test("lets a handler be replaced until the test ends", async () => {
    worker.use(http.get("*/v1/jobs", () => HttpResponse.json(null, { status: 503 })));
    expect((await ask()).status).toBe(503);
    reset();
    expect((await ask()).status).toBe(200);
  });
});

describe("a fault, in a browser", () => {
  test.each<MockFault>([
    { kind: "reset" },
    { kind: "refuse" },
    { kind: "cut-body", afterBytes: 0 },
    { kind: "cut-body", afterBytes: 20 },
  ])("breaks the connection, and it shows: %j", async (fault) => {
    service.faults.play(fault);
    const error = await rejection(ask().then((answer) => answer.text()));
    expect(error).toBeInstanceOf(TypeError);
    if (fault.kind !== "cut-body") expect(error.message).toBe("Failed to fetch");
    expect((await ask()).status).toBe(200);
  });

  test.each(["stall", "stall-body"] as const)(
    "hangs until the page gives up, or the test ends: %s",
    async (kind) => {
      for (const [giveUp, name] of [
        [(controller: AbortController) => controller.abort(), "AbortError"],
        [reset, "TypeError"],
      ] as const) {
        const before = service.journal.count;
        service.faults.play({ kind });
        const controller = new AbortController();
        const { signal } = controller;
        const pending = rejection(ask("/v1/jobs", { signal }).then((answer) => answer.text()));
        // Once it is here: a late one would meet the next fault.
        await expect.poll(() => service.journal.count).toBe(before + 1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        giveUp(controller);
        expect((await pending).name).toBe(name);
      }
    },
  );

  test("drips the body, and answers late", async () => {
    const time = async (fault: MockFault) => {
      service.faults.play(fault);
      const start = performance.now();
      const answer = await (await ask()).json();
      expect(answer).toEqual({ success: true, data: { jobs: [] }, error: null });
      return performance.now() - start;
    };
    expect(await time({ kind: "drip-body", bytes: 20, everyMs: 10 })).toBeGreaterThan(15);
    expect(await time({ kind: "latency", ms: 40 })).toBeGreaterThan(38);
  });

  test("answers with anything", async () => {
    service.faults.play({ kind: "status", status: 418, headers: { "x-tea": "pot" }, body: "no" });
    const answer = await ask();
    expect([answer.status, answer.headers.get("x-tea"), await answer.text()]).toEqual([
      418,
      "pot",
      "no",
    ]);
    service.faults.play({ kind: "rate-limit", retryAfterMs: 3_000 });
    expect((await ask()).headers.get("retry-after")).toBe("3");
    service.faults.play({ kind: "wrong-json" });
    expect(await rejection(ask().then((cut) => cut.json()))).toBeInstanceOf(SyntaxError);
    service.faults.play({ kind: "html" });
    expect(await (await ask()).text()).toMatch("<h1>502 Bad Gateway</h1>");
  });

  test("is an error of the client's", async () => {
    service.faults.play({ kind: "reset", accepted: true });
    const error = await rejection(client.jobs.submit({ action: "copy-ad" }));
    expect(error).toMatchObject({ code: "connection", outcome: "unknown" });
    expect(service.account("test-key").charges).toHaveLength(1);
  });
});

describe("a request that nothing handles, in a browser", () => {
  test("is refused, and fails the test", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    for (const url of ["https://ads.test/api/v1/nope?key=1", "https://collect.test/events"]) {
      expect((await rejection(fetch(url))).message).toBe("Failed to fetch");
    }
    expect(print.mock.calls).toEqual([
      ["The mock refused GET https://ads.test/api/v1/nope: nothing handles it"],
      ["The mock refused GET https://collect.test/events: nothing handles it"],
    ]);
    print.mockRestore();
    expect(reset).toThrow(
      "refused them:\n  GET https://ads.test/api/v1/nope\n  GET https://collect.test/events\nTo the",
    );
    expect(reset).not.toThrow();
  });

  test("leaves a write of the client not sent", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const stray = createClient({ baseUrl: "https://other.test", apiKey: null, maxRetries: 0 });
    for (const _ of ["first", "second"]) {
      expect(await rejection(stray.jobs.submit({ action: "copy-ad" }))).toMatchObject({
        outcome: "not-sent",
        message:
          "POST /v1/jobs got no answer: The mock refused POST https://other.test/v1/jobs: " +
          "nothing handles it",
      });
    }
    expect(reset).toThrow("POST https://other.test/v1/jobs (2 times)");
    // The same request, when its connection breaks, may have been carried out.
    worker.use(http.post("https://other.test/v1/jobs", () => HttpResponse.error()));
    const broken = await rejection(stray.jobs.submit({ action: "copy-ad" }));
    expect(broken).toMatchObject({ outcome: "unknown" });
    printed.mockRestore();
  });

  test("is refused when a handler has looked at it and not answered", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    worker.use(http.get("*/v1/nope", () => {}));
    expect((await rejection(ask("/v1/nope"))).message).toBe("Failed to fetch");
    print.mockRestore();
    expect(reset).toThrow("GET https://ads.test/api/v1/nope");
  });

  test("is let through when it goes to where the page comes from", async () => {
    expect((await fetch(location.href)).status).toBe(200);
    expect(reset).not.toThrow();
  });
});
