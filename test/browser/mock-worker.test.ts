import { HttpResponse, http } from "msw";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { setupMockWorker } from "../../mocks/browser/index.ts";
import type { MockFault } from "../../mocks/faults/fault.ts";
import { createClient } from "../../src/client/index.ts";

const mock = setupMockWorker({ baseUrl: "https://ads.test/api" });
const { service, worker, reset } = mock;
beforeAll(mock.start);
afterEach(mock.reset);
afterAll(mock.stop);
// Allow the network again, because other test files share this page.
afterAll(mock.allowNetwork);

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
  test("the worker serves the client from the submission to the result, without a wait", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    const before = service.journal.count;
    const finished = await client.jobs.submitAndPoll({ action: "generate-ad", variations: 2 });
    // A wait between polls would take at least a second. Timers above 20 s are limits of requests.
    const waits = timers.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms < 20_000);
    timers.mockRestore();
    expect(service.journal.count - before).toBe(3);
    expect(Math.max(0, ...waits)).toBeLessThan(250);
    expect(finished).toMatchObject({ status: "completed", result: { images: { length: 2 } } });
    service.account("test-key").assertCharges([{ jobId: finished.job_id, amount: 2 }]);
  });

  test("the worker serves pictures and videos by URL to <img> and <video>", async () => {
    const ad = await client.jobs.submitAndPoll({ action: "generate-ad" });
    const film = await client.jobs.submitAndPoll({ action: "video-a-2", duration: 4 });
    const urlIn = (result: unknown) =>
      Object.values(Object(result))
        .flat()
        .map((made) => Object(made).url);
    const [picture, video] = [ad, film].flatMap((job) =>
      job.status === "completed" ? urlIn(job.result) : [],
    );
    expect(picture).toBe(`https://ads.test/api/__mock/artwork/${ad.job_id}/1.svg`);
    const image = Object.assign(new Image(), { src: picture });
    await image.decode();
    expect([image.naturalWidth, image.naturalHeight]).toEqual([1080, 1080]);
    const player = Object.assign(document.createElement("video"), { src: video, muted: true });
    await new Promise((resolve, reject) => {
      player.onloadeddata = resolve;
      player.onerror = () => reject(new Error(player.error?.message));
    });
    expect(player.videoWidth).toBe(384);
    expect((await fetch(picture.replace("1.svg", "2.svg"))).status).toBe(404);
  });

  test("worker.use replaces a handler until the reset", async () => {
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
  ])("the page sees the broken connection of %j", async (fault) => {
    service.faults.play(fault);
    const error = await rejection(ask().then((answer) => answer.text()));
    expect(error).toBeInstanceOf(TypeError);
    if (fault.kind !== "cut-body") expect(error.message).toBe("Failed to fetch");
    expect((await ask()).status).toBe(200);
  });

  test.each(["stall", "stall-body"] as const)(
    "the fault %s lasts until the page aborts, or the test resets the mock",
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
        // A request that arrives late would meet the next fault.
        await expect.poll(() => service.journal.count).toBe(before + 1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        giveUp(controller);
        expect((await pending).name).toBe(name);
      }
    },
  );

  test.each<[MockFault, number]>([
    [{ kind: "drip-body", bytes: 20, everyMs: 10 }, 15],
    [{ kind: "latency", ms: 40 }, 38],
  ])("the fault %j delays the answer, and changes no byte", async (fault, minMs) => {
    service.faults.play(fault);
    const start = performance.now();
    const answer = await (await ask()).json();
    expect(answer).toEqual({ success: true, data: { jobs: [] }, error: null });
    expect(performance.now() - start).toBeGreaterThan(minMs);
  });

  test("a broken connection is a ConnectionError with an unknown outcome for the client", async () => {
    service.faults.play({ kind: "reset", accepted: true });
    const error = await rejection(client.jobs.submit({ action: "copy-ad" }));
    expect(error).toMatchObject({ code: "connection", outcome: "unknown" });
    expect(service.account("test-key").charges).toHaveLength(1);
  });
});

describe("a request that nothing handles, in a browser", () => {
  const printed: unknown[][] = [];
  beforeEach(() => {
    printed.length = 0;
    const print = vi.spyOn(console, "error").mockImplementation((...words) => printed.push(words));
    return () => print.mockRestore();
  });

  test("an unhandled request is refused and fails the test, even if a handler has seen it", async () => {
    worker.use(http.get("*/v1/silent", () => {}));
    const refused = ["ads.test/api/v1/nope", "ads.test/api/v1/silent", "collect.test/events"];
    for (const place of refused) {
      const { message } = await rejection(fetch(`https://${place}?key=1`));
      expect(message).toBe("Failed to fetch");
    }
    expect(printed).toEqual(
      refused.map((place) => [`The mock refused GET https://${place}: nothing handles it`]),
    );
    const listed = refused.map((place) => `  GET https://${place}\n`).join("");
    expect(reset).toThrow(`refused them:\n${listed}Requests to the`);
    expect(reset).not.toThrow();
  });
});
