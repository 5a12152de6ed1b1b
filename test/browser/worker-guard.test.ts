// No request of a page reaches the service while its mock worker does not answer it, in whatever order
// `start` and `stop` are called.
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { setupMockWorker } from "../../mocks/browser/index.ts";
import type { MockService } from "../../mocks/index.ts";
import { createClient } from "../../src/client/index.ts";

/** A page's own proxy, behind which a POST pays. */
const ownPath = "/adgen-gate";
const bases = { own: `${location.origin}${ownPath}`, other: "https://gate.test/api" };

const waits = {
  code: "ERR_MOCK_NOT_LISTENING",
  why: "it has not started yet. Await mock.start() before the page asks the service.",
};
const lost = {
  code: "ERR_MOCK_INTERCEPTION_ENDED",
  why: "another service worker has taken over the page. Register no other service worker.",
};
const closed = {
  code: "ERR_MOCK_CLOSED",
  why: "it was stopped. Send the request before that, or let requests out by mock.allowNetwork().",
};

/** Creates a mock that restores the page after the test. */
const setUp = (baseUrl: string) => {
  const mock = setupMockWorker({ baseUrl });
  onTestFinished(async () => {
    await mock.stop();
    mock.allowNetwork();
  });
  return mock;
};

const printed: string[] = [];
beforeEach(() => {
  printed.length = 0;
  const print = vi.spyOn(console, "error").mockImplementation((words) => void printed.push(words));
  return () => print.mockRestore();
});

const body = '{"action":"copy-ad"}';
const headers = { authorization: "Bearer test-key", "content-type": "application/json" };

type Sending = (url: string) => Promise<unknown>;

const byXhr =
  (isAsync: boolean, method = "POST"): Sending =>
  (url) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.open(method, url, isAsync);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      if (isAsync) {
        request.onload = () => resolve(request.status);
        request.onerror = () => resolve(`error ${request.status}`);
        request.send(body);
      } else {
        try {
          request.send(body);
          resolve(request.status);
        } catch (error) {
          resolve((error as Error).name);
        }
      }
    });

const endOf = (sent: Promise<Response>) =>
  sent.then(
    ({ status }) => status,
    ({ name, cause }) => `${name} ${cause?.code}`,
  );

const byFetch =
  (init: RequestInit = {}): Sending =>
  (url) =>
    endOf(fetch(url, { method: "POST", headers, body, ...init }));

const failing = "TypeError ";

const blocking = "XMLHttpRequest that blocks";

/** Answers other than 202. */
const answers: Readonly<Record<string, unknown>> = {
  "fetch of a Request": 401,
  [blocking]: "NetworkError",
  sendBeacon: true,
};

/** Ways to send a request, each with the outcome of a refused one. */
const ways: Readonly<Record<string, readonly [Sending, (code: string) => unknown]>> = {
  fetch: [byFetch(), (code) => failing + code],
  "fetch of a Request": [
    (url) => endOf(fetch(new Request(url, { method: "POST", body }))),
    (code) => failing + code,
  ],
  "fetch with keepalive": [byFetch({ keepalive: true }), (code) => failing + code],
  XMLHttpRequest: [byXhr(true), () => "error 0"],
  [blocking]: [byXhr(false), () => "NetworkError"],
  sendBeacon: [async (url) => navigator.sendBeacon(url, body), () => false],
};

/** Returns the requests that have left the page, or have reached its service worker. */
const seen = (part: string) =>
  performance.getEntriesByType("resource").filter(({ name }) => name.includes(part));

const expectRefused = async (base: string, { code, why }: typeof waits) => {
  const before = seen(new URL(base).pathname).length;
  const urls = [`${base}/v1/jobs`, ...(base === bases.own ? [`${ownPath}/v1/jobs`] : [])];
  for (const url of urls) {
    for (const [way, [send, refused]] of Object.entries(ways)) {
      expect([way, await send(url)]).toEqual([way, refused(code)]);
    }
  }
  const message = `The mock refused a request to ${new URL(base).host}: ${why}`;
  expect(printed.splice(0)).toEqual(Array(6 * urls.length).fill(message));
  const client = createClient({ baseUrl: base, apiKey: null });
  const error = await client.jobs.submit({ action: "copy-ad" }).catch((reason) => reason);
  expect(error).toMatchObject({ code: "connection", outcome: "not-sent", attempts: 1 });
  expect(error.message).toContain(message);
  expect(printed.splice(0)).toEqual([message]);
  expect(seen(new URL(base).pathname)).toHaveLength(before);
};

/** Expects that the mock answers every way that its worker sees, and refuses the blocking one. */
const expectAnswered = async (base: string, { journal, reset }: MockService) => {
  for (const [way, [send]] of Object.entries(ways)) {
    const before = journal.count;
    const [got, isSeen] = [await send(`${base}/v1/jobs`), way !== blocking];
    expect([way, got]).toEqual([way, answers[way] ?? 202]);
    // A beacon is sent with a delay.
    await expect.poll(() => [way, journal.count - before]).toEqual([way, isSeen ? 1 : 0]);
  }
  const why =
    "a service worker cannot answer a synchronous XMLHttpRequest. Send it asynchronously.";
  expect(printed.splice(0)).toEqual([
    `The mock refused a request to ${new URL(base).host}: ${why}`,
  ]);
  const client = createClient({ baseUrl: base, apiKey: "test-key", allowBrowserKey: true });
  const job = await client.jobs.submitAndPoll({ action: "generate-ad" });
  expect(job).toMatchObject({ status: "completed" });
  reset();
};

const script = `${location.origin}/mockServiceWorker.js`;

/** Expects that the page can still load its own files, data URLs and blobs. */
const expectOthersAlone = async () => {
  const others = [location.href, "data:text/plain,here", URL.createObjectURL(new Blob(["here"]))];
  for (const url of others) expect((await fetch(url)).status).toBe(200);
  for (const isAsync of [true, false]) expect(await byXhr(isAsync, "GET")(script)).toBe(200);
  expect(printed).toEqual([]);
};

test.each(Object.entries(bases))(
  "a worker for a service on its page's %s origin lets no request out before, during and after its life",
  async (_, base) => {
    const own = [fetch, XMLHttpRequest.prototype.open, navigator.sendBeacon];
    const mock = setUp(base);
    await expectRefused(base, waits);
    await expectOthersAlone();
    expect(await byFetch()("https://else.test/v1/jobs")).toBe("TypeError undefined");
    for (const _life of ["first", "second"]) {
      const starting = mock.start();
      await expectRefused(base, waits);
      await starting;
      await expectAnswered(base, mock.service);
      await expectOthersAlone();
      const stopping = mock.stop();
      await expectRefused(base, closed);
      await stopping;
      await expectRefused(base, closed);
      await expectOthersAlone();
    }
    mock.allowNetwork();
    expect([fetch, XMLHttpRequest.prototype.open, navigator.sendBeacon]).toEqual(own);
  },
);

test("a worker that doesn't get the page's requests doesn't start, and lets none out", async () => {
  const mock = setUp(bases.own);
  const { start } = mock.worker;
  const container = navigator.serviceWorker;
  const controlled = vi.spyOn(mock.worker, "start").mockImplementation(async (...given) => {
    const registration = await start(...given);
    vi.spyOn(container, "controller", "get").mockReturnValue(null);
    setTimeout(() => container.dispatchEvent(new Event("controllerchange")), 5);
    return registration;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(mock.start()).rejects.toThrow("MSW's service worker does not control this page");
  await expectRefused(bases.own, waits);
  expect(controlled).toHaveBeenCalledOnce();
});

test("a worker that has lost the page to another one lets nothing out until it is back", async () => {
  const mock = setUp(bases.own);
  await mock.start();
  const other = { scriptURL: `${location.origin}/sw.js` } as ServiceWorker;
  const controller = vi.spyOn(navigator.serviceWorker, "controller", "get").mockReturnValue(other);
  onTestFinished(() => controller.mockRestore());
  await expectRefused(bases.own, lost);
  controller.mockRestore();
  await expectAnswered(bases.own, mock.service);
});

test("the next worker answers after the first one was stopped", async () => {
  const first = setUp(bases.other);
  await first.start();
  await first.stop();
  const second = setUp(bases.other);
  await second.start();
  expect(await byFetch()(`${bases.other}/v1/jobs`)).toBe(202);
  expect(second.service.jobs.all).toHaveLength(1);
  await second.stop();
  expect(await byFetch()(`${bases.other}/v1/jobs`)).toBe("TypeError ERR_MOCK_CLOSED");
  for (const mock of [first, second]) mock.allowNetwork();
  expect(await byFetch()(`${bases.other}/v1/jobs`)).toBe("TypeError undefined");
});

const baseUrl = "https://lifecycle.test";
const submit = (base = baseUrl): Promise<unknown> => byFetch()(`${base}/v1/jobs`);

test("start, stop and start in a row, as React's StrictMode calls them, end with a mock that answers", async () => {
  const mock = setUp(baseUrl);
  const calls = [mock.start(), mock.stop(), mock.start()];
  expect(await submit()).toBe("TypeError ERR_MOCK_NOT_LISTENING");
  await Promise.all(calls);
  expect(await submit()).toBe(202);
  await Promise.all([mock.stop(), mock.start(), mock.stop()]);
  expect(await submit()).toBe("TypeError ERR_MOCK_CLOSED");
  await mock.start();
  expect(await submit()).toBe(202);
});

test("a start can succeed after one that failed", async () => {
  const mock = setUp(baseUrl);
  const start = vi.spyOn(mock.worker, "start").mockRejectedValueOnce(new Error("no script"));
  const [failed, second] = await Promise.allSettled([mock.start(), mock.start()]);
  expect(failed).toMatchObject({ status: "rejected", reason: { message: "no script" } });
  expect(second.status).toBe("fulfilled");
  expect(start).toHaveBeenCalledTimes(2);
  expect(await submit()).toBe(202);
});

test("a second worker of the page ends the first one, which then says so", async () => {
  const first = setUp("https://first.test");
  await first.start();
  const second = setUp(baseUrl);
  await second.start();
  expect(await submit()).toBe(202);
  expect(await submit("https://first.test")).toBe("TypeError ERR_MOCK_CLOSED");
  expect(printed).toEqual([
    "The mock refused a request to first.test: another mock worker has started in this page, which " +
      "ended it. Use one mock in a page.",
  ]);
  await second.stop();
  await first.start();
  expect(await submit("https://first.test")).toBe(202);
});

test("MSW's own worker.stop lets no request of the page out", async () => {
  const mock = setUp(baseUrl);
  await mock.start();
  await mock.worker.stop();
  expect(await submit()).toBe("TypeError ERR_MOCK_CLOSED");
  await mock.start();
  expect(await submit()).toBe(202);
});
