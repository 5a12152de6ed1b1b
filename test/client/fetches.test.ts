import { afterEach, expect, it, vi } from "vitest";
import { ConnectionError, createClient, markAsNotSent } from "../../src/client/index.ts";
import { notSentKey } from "../../src/contract/not-sent.ts";
import { failure, queued, success } from "../helpers/answers.ts";
import { accepted, clientOver, deleteBrand, failing, getJob, submitJob } from "../helpers/calls.ts";
import { clientOf, fetchError, paidJob, pause, rejection, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const native = globalThis.fetch;
afterEach(() => vi.unstubAllGlobals());

/** A `fetch` that notes how it was called, and with which body; it answers a submission. */
const noting = () => {
  const calls: { self: unknown; input: unknown[]; init: RequestInit; text: string }[] = [];
  const fetch = async function (this: unknown, ...input: unknown[]): Promise<Response> {
    const [first, init = {}] = input as [unknown, RequestInit?];
    const sent = first instanceof Request ? first.clone() : new Response(init.body ?? null);
    calls.push({ self: this, input, init, text: await sent.text() });
    return accepted();
  };
  return { calls, fetch };
};

const body = JSON.stringify(paidJob);

/** This client exists before the tests replace `fetch`, which each request must look up. */
const client = createClient({ baseUrl: "http://ads.test/api", apiKey: testKey });

it("the global fetch is called with URL and init, the signal in the init, and without this", async () => {
  const { calls, fetch } = noting();
  vi.stubGlobal("fetch", fetch);

  await client.jobs.get("job-1");

  expect(calls).toHaveLength(1);
  const { self, input, init } = calls[0] ?? { init: {} };
  expect(input?.[0]).toBe("http://ads.test/api/v1/jobs/job-1");
  expect(init).toMatchObject({ method: "GET", redirect: "manual", cache: "no-store" });
  // React and Next.js answer a GET from memory within a render, unless its init has a signal. A
  // wait would never see its job change. The signal of a `Request` does not count.
  expect(init.signal).toBeInstanceOf(AbortSignal);
  expect(new Headers(init.headers).get("authorization")).toBe(`Bearer ${testKey}`);
  expect(init.body ?? null).toBeNull();
  expect(init).not.toHaveProperty("duplex");
  expect(self).toBeUndefined();
});

it.each<[isStream: boolean, where: string, name: string, value: object | undefined]>([
  [true, "in Node", "stub", undefined],
  [true, "with only the navigator of a browser", "navigator", { userAgent: "Mozilla/5.0" }],
  [false, "where there is a document", "document", {}],
  [false, "in a Worker of Cloudflare", "navigator", { userAgent: "Cloudflare-Workers" }],
  [false, "where it does not say that it is Node", "process", { env: {} }],
])("the global fetch gets a POST's body as a stream (%s) %s", async (...row) => {
  const [isStream, , name, value] = row;
  const { calls, fetch } = noting();
  vi.stubGlobal("fetch", fetch);
  vi.stubGlobal(name, value);

  await client.jobs.submit(paidJob);

  const { init, text } = calls[0] ?? { init: {} };
  expect(init).toMatchObject({ method: "POST", duplex: "half" });
  if (isStream) expect(init.body).toBeInstanceOf(ReadableStream);
  else expect(init.body).toBe(body);
  const headers = new Headers(init.headers);
  expect(headers.get("content-length")).toBe(isStream ? String(Buffer.byteLength(body)) : null);
  expect(headers.get("content-type")).toBe("application/json");
  expect(text).toBe(body);
});

/** Lets the global `fetch` report each response elsewhere, as instrumentation does. */
const reportAfterwards = (report: (own: URL) => Promise<unknown>): void => {
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const response = await native(url, init);
    await report(new URL(url));
    return response;
  });
};

/** Nothing listens on port 9, which belongs to the discard service. */
const closed = "http://127.0.0.1:9";
const refusedHeader = { headers: { expect: "1" } };
const refusedByMock = Object.assign(new Error("refused"), {
  [notSentKey]: "https://metrics.test/count",
});
const marked = (text: string) => markAsNotSent(new Error(text));

it.each<[string, (own: URL) => Promise<unknown>]>([
  ["goes to a closed port", () => native(closed)],
  ["goes to a closed port of a name", () => native("http://localhost:9/metrics")],
  ["goes to its port of another host", ({ port }) => native(`http://127.0.0.2:${port}/metrics`)],
  ["goes to a port that speaks no TLS", ({ port }) => native(`https://127.0.0.1:${port}/`)],
  ["goes to a name that does not exist", () => native("http://metrics.invalid/")],
  ["goes to a blocked port", () => native("http://127.0.0.1:6000/")],
  ["has a header that fetch refuses", () => native(closed, refusedHeader)],
  ["is marked by markAsNotSent", () => Promise.reject(marked("offline"))],
  ["has a marked cause", () => Promise.reject(new Error("no", { cause: marked("offline") }))],
  ["is another request that a mock has refused", () => Promise.reject(refusedByMock)],
])("a submission is sent once if an instrumented fetch's report %s", async (_, report) => {
  reportAfterwards(report);
  const { error, received } = await failing(queued(), submitJob, { maxRetries: 10 });
  expect(received).toHaveLength(1);
  expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
});

it("a delete through an instrumented fetch has an unknown outcome, as it has no body for proof", async () => {
  const answers = [success({ id: "b", deleted: true }), failure(404)];
  let reports = 0;
  reportAfterwards(async () => ++reports < 3 && native(closed));

  const { error: once } = await failing(answers, deleteBrand, { maxRetries: 0 });
  reports = 1;
  const { error: retried } = await failing(answers, deleteBrand);

  expect(once).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
  expect(retried).toMatchObject({ status: 404, outcome: "unknown", attempts: 2 });
});

it("a submission can't be sent by a fetch that throws first and sends later", async () => {
  const server = await listen(queued());
  const late: Promise<unknown>[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    // Without the signal, only the withdrawn body keeps the request from being sent.
    const send = () => native(url, { ...init, signal: null }).catch(() => {});
    late.push(pause(50).then(send));
    throw fetchError("ECONNREFUSED");
  });

  const error = await rejection(submitJob(clientOf(server, { maxRetries: 0 })));
  await Promise.all(late);

  expect(error.outcome).toBe("not-sent");
  expect(server.received).toHaveLength(0);
});

it("a caller's fetch gets one Request, with its signal, and no this", async () => {
  const { calls, fetch } = noting();

  await clientOver(fetch).jobs.submit(paidJob);

  const { self, input = [], text } = calls[0] ?? {};
  // Browsers and workers throw "Illegal invocation" where `this` is anything else.
  expect(self).toBeUndefined();
  expect(input).toHaveLength(1);
  const request = input[0] as Request;
  expect(request).toBeInstanceOf(Request);
  expect(request).toMatchObject({ method: "POST", url: "http://ads.test/v1/jobs" });
  expect(request.signal).toBeInstanceOf(AbortSignal);
  expect(text).toBe(body);
});

it("a response whose clone a caller's fetch has read is read as usual", async () => {
  const readClone = async () => {
    const response = accepted();
    await response.clone().json();
    return response;
  };
  expect(await submitJob(clientOver(readClone))).toEqual({ job_id: "job-1", status: "queued" });
});

it("a response that comes too late is cancelled, and reaches no hook", async () => {
  const cancelled = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const onResponse = vi.fn();
  const give = async () => {
    await late.promise;
    return new Response(new ReadableStream({ cancel: () => cancelled.resolve() }));
  };

  const options = { timeoutMs: 40, maxRetries: 0, hooks: { onResponse } };
  const error = await rejection(getJob(clientOver(give, options)));

  expect(error).toMatchObject({ code: "timeout" });
  expect(error.status).toBeUndefined();
  late.resolve();
  await cancelled.promise;
  expect(onResponse).not.toHaveBeenCalled();
});

it.each<[string, unknown]>([
  ["an error of this library", new ConnectionError("connection", "no", { outcome: "not-sent" })],
  // A wrapper may have sent the request again after the marked error.
  ["a mark at its cause", new Error("all failed", { cause: markAsNotSent(new Error("no")) })],
])("what fetch throws becomes our error, and proves nothing: %s", async (_, thrown) => {
  const refuse = vi.fn(() => Promise.reject(thrown));

  const own = await rejection(submitJob(clientOver(refuse)));
  vi.stubGlobal("fetch", refuse);
  const global = await rejection(submitJob(clientOf({ url: "http://ads.test" })));

  for (const error of [own, global]) {
    expect(Object.is(error, thrown)).toBe(false);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    expect(error.cause).toBeInstanceOf(Error);
  }
  expect(refuse).toHaveBeenCalledTimes(2);
});
