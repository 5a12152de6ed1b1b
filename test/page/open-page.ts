import { type Browser, type BrowserContext, chromium, type ViewportSize } from "playwright";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import {
  createManualClock,
  createMockService,
  type MockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server/index.ts";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../../tools/chromium.ts";
import { createAsk } from "../mocks/ask.ts";

/** Whether to skip the tests. In CI, a missing browser is an error. */
export const withoutBrowser = chromiumPath === undefined && !process.env["CI"];
if (chromiumPath === undefined && process.env["CI"]) throw new Error(chromiumMissing);

/** The options of a service, and a function that fills the service before its page is opened. */
interface Filled {
  readonly service?: MockServiceOptions;
  readonly prepare?: (service: MockService) => unknown;
}

interface OpenOptions extends Filled {
  readonly viewport?: ViewportSize;
  /** Matches the browser's complaints that the test expects. */
  readonly tolerate?: RegExp;
}

/** Starts Chromium for the tests of a file, and cleans up after each of them, the newest first. */
export const useBrowser = (...args: string[]) => {
  let browser: Browser;
  const cleanups: (() => unknown)[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ ...chromiumLaunch, args: [...chromiumLaunch.args, ...args] });
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  return { launched: () => browser, cleanups };
};

/**
 * Opens the page of a fresh server in Chromium, in one context for all tests of a file. After each test
 * it checks that the browser has complained about nothing, and that the page has asked its own server only.
 */
export const usePages = ({ launched, cleanups }: ReturnType<typeof useBrowser>) => {
  let context: BrowserContext;
  beforeAll(async () => {
    // With reduced motion, a click waits for no animation.
    context = await launched().newContext({ reducedMotion: "reduce" });
  });

  return async ({ service: options, prepare, tolerate, viewport }: OpenOptions = {}) => {
    const service = createMockService(options);
    await prepare?.(service);
    const server = await startMockServer({ service });
    cleanups.push(() => server.close());

    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.setViewportSize(viewport ?? { width: 1280, height: 900 });
    const complaints: string[] = [];
    const complain = (text: string): void => {
      if (!tolerate?.test(text)) complaints.push(text);
    };
    page.on("pageerror", (error) => complain(error.message));
    page.on("console", (message) => {
      if (message.type() !== "info" && message.type() !== "log") complain(message.text());
    });
    page.on("dialog", (dialog) => {
      if (dialog.type() !== "confirm") complain(`dialog: ${dialog.message()}`);
      void dialog.accept();
    });
    const isOwn = (url: string) => url.startsWith(server.url) || url.startsWith("data:");
    page.on("request", (request) => {
      if (!isOwn(request.url())) complaints.push(`asked ${request.url()}`);
    });
    cleanups.push(async () => {
      await page.close();
      expect(complaints).toEqual([]);
    });

    await page.goto(`${server.url}/__mock/`);
    return { page, service, url: server.url };
  };
};

/** Creates options of a service whose jobs take 70 seconds, by a clock that stands still. */
export const timedJobs = (): MockServiceOptions => ({
  timeline: { queuedMs: 10_000, processingMs: 60_000 },
  clock: createManualClock(),
});

/** Sends one call of the API to the service, and returns its data. */
export const call = async (
  service: MockService,
  method: string,
  path: string,
  body?: unknown,
  key?: string,
) => (await createAsk(service, key, "http://127.0.0.1")(method, path, body)).data;

/** Submits a job, and returns its id. */
export const submit = async (service: MockService, body: object, key?: string): Promise<string> =>
  (await call(service, "POST", "/v1/jobs", body, key)).job_id;

/** Lists the brands, submits a job that is refused, and asks for an unknown path, `rounds` times. */
export const makeTraffic = async (service: MockService, rounds: number): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    await call(service, "GET", "/v1/brands");
    await call(service, "POST", "/v1/jobs", { action: "nothing" });
    await call(service, "GET", "/v1/nowhere");
  }
};

/** Makes jobs of three accounts in every state, requests that fail, and schedules a fault and an end. */
const fill = async (service: MockService): Promise<void> => {
  const brand = await call(service, "POST", "/v1/brands", { name: "Zebra" }, "test-b");
  for (let count = 0; count < 9; count += 1) {
    const action = count % 2 ? "generate-ad" : "generate-ad-copy";
    const key = ["test-a", "test-b", "test-c"][count % 3] ?? "";
    const id = await submit(service, { action, prompt: `Coat ${count}` }, key);
    if (count === 3) service.jobs.fail(id, "Refused by moderation");
    if (count < 3) service.jobs.complete(id);
    service.clock.advance(2_000);
  }
  const images = ["https://a.example/1.png", "https://a.example/2.png"];
  const special = { action: "image-a-2", prompt: "A lighthouse at night", variations: 5, images };
  service.jobs.complete(await submit(service, { ...special, brand_id: brand.id }, "test-b"));
  await makeTraffic(service, 1);
  const fault = { kind: "latency", ms: { min: 1, max: 2 } } as const;
  service.faults.play(fault, { times: Number.POSITIVE_INFINITY, account: "test-b" });
  service.jobs.next({ fail: "moderation" }, { after: 2, action: "copy-ad" });
};

/** A service with jobs of three accounts in every state. */
export const busy: Filled = {
  service: { ...timedJobs(), accounts: { "test-a": {}, "test-b": {}, "test-c": {} } },
  prepare: fill,
};
