import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it, vi } from "vitest";
import type {
  AdGenClient,
  AdGenError,
  CallOptions,
  ClientOptions,
} from "../../src/client/index.ts";
import { dripBody, failure, queued, silence, stallBody, stallHeaders } from "../helpers/answers.ts";
import {
  accepted,
  type Call,
  clientOver,
  createBrand,
  doubtOfSubmission,
  failing,
  getJob,
  submitJob,
} from "../helpers/calls.ts";
import { clientOf, measureTime, paidJob, pause, rejection, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { hang, holdUp, play, refuse } from "../helpers/virtual-time.ts";

const reason = new Error("the user left");

/** Checks what every abort has in common. */
const expectAbort = (error: AdGenError): void => {
  expect(error).toMatchObject({ name: "AbortError", code: "aborted" });
  expect(error.cause).toBe(reason);
};

/** Aborts a call once `ready`, and gives its error, which must come within 100 ms. */
const abortWhen = async (
  ready: Promise<unknown>,
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<AdGenError> => {
  const controller = new AbortController();
  const ended = rejection(call(controller.signal));
  await ready;
  controller.abort(reason);
  // A race instead of a measurement, because a busy machine delays both.
  const error = await Promise.race([ended, pause(100)]);
  if (!error) throw new Error("The abort took more than 100 ms.");
  expectAbort(error);
  return error;
};

it.concurrent.each<[string, Answer, number | undefined, string?]>([
  ["in silence", silence, undefined],
  ["midway in the headers", stallHeaders, undefined],
  ["midway in a body that stalls", stallBody(), 200],
  ["midway in a body that drips for ever", dripBody(), 200],
  ["midway in the body of a failure", stallBody(503), 503, "server_error"],
])("a call held up %s ends in time, or by an abort, and closes its socket", async (...row) => {
  const [, fault, status, code = "timeout"] = row;
  const reached = Promise.withResolvers<void>();
  const server = await listen((response, request) => {
    fault(response, request);
    if (status === undefined) setTimeout(reached.resolve, 40);
  });
  const hooks = { onResponse: () => reached.resolve() };
  const { jobs } = clientOf(server, { maxRetries: 10, hooks });

  const aborted = await abortWhen(reached.promise, (signal) => jobs.submit(paidJob, { signal }));
  const { value: late, ms } = await measureTime(() =>
    failing(fault, getJob, { totalTimeoutMs: 1_000 }),
  );

  for (const { sockets } of [server, late]) {
    await vi.waitUntil(() => sockets.size === 0, { interval: 5, timeout: 60_000 });
  }
  expect([aborted.status, late.error.status]).toEqual([status, status]);
  expect(aborted).toMatchObject({ outcome: "unknown", attempts: 1 });
  expect(aborted.message).toBe(`POST /v1/jobs was aborted${doubtOfSubmission}`);
  expect(server.received).toHaveLength(1);
  expect(late.error).toMatchObject({ code, jobId: "j" });
  expect(late.error.elapsedMs).toBeGreaterThanOrEqual(995);
  expect(ms).toBeGreaterThanOrEqual(995);
  expect(ms).toBeLessThan(1_000 + 10_000); // an overloaded machine adds to any time
});

/** Rows: options of client and call, the time of a read against silence, and its option. */
const ofReads: [ClientOptions, CallOptions, number, string][] = [
  [{}, {}, 60_000, "totalTimeoutMs"],
  [{ maxRetries: 0 }, {}, 30_000, "timeoutMs"],
  [{ timeoutMs: 250, maxRetries: 0 }, {}, 250, "timeoutMs"],
  [{ timeoutMs: 250 }, {}, 500, "totalTimeoutMs"],
  [{ totalTimeoutMs: 250 }, {}, 250, "totalTimeoutMs"],
  [{ timeoutMs: 10_000, totalTimeoutMs: 15_000 }, {}, 15_000, "totalTimeoutMs"],
  [{}, { timeoutMs: 250 }, 250, "timeoutMs"],
  [{ totalTimeoutMs: 15_000 }, { timeoutMs: 5 }, 5, "timeoutMs"],
  [{}, { totalTimeoutMs: 250 }, 250, "totalTimeoutMs"],
  [{ timeoutMs: 60_000 }, { timeoutMs: 40_000, totalTimeoutMs: 250 }, 250, "totalTimeoutMs"],
  [{ maxRetries: 0 }, { timeoutMs: 250, totalTimeoutMs: 5_000 }, 250, "timeoutMs"],
  [{ timeoutMs: 2 ** 31 - 1 }, {}, 2 ** 31 - 1, "timeoutMs"],
];

it.each(ofReads)("a call with %j and %j takes %i ms (%s)", async (options, ofCall, ms, name) => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const read: Call = ({ jobs }) => jobs.get("j", ofCall);

  const played = await play([hang], read, { maxRetries: 10, ...options });
  vi.mocked(Math.random).mockRestore();

  expect(played.error).toMatchObject({ name: "TimeoutError", code: "timeout", elapsedMs: ms });
  expect(played.ms).toBe(ms);
  const limit = name === "timeoutMs" ? ms : (ofCall.totalTimeoutMs ?? options.totalTimeoutMs ?? ms);
  expect(played.error?.message).toBe(`GET /v1/jobs/j timed out after ${limit} ms (${name})`);
});

it.each<[string, number, Call]>([
  ["jobs.submit", 60_000, submitJob],
  ["brands.create", 30_000, createBrand],
  ["brands.update", 30_000, ({ brands }) => brands.update("b", {})],
  ["brands.delete", 30_000, ({ brands }) => brands.delete("b", { maxRetries: 0 })],
  ["brands.listAds", 30_000, ({ brands }) => brands.listAds("b", {}, { maxRetries: 0 })],
  ["savedAds.create", 30_000, ({ savedAds }) => savedAds.create({ brand_id: "b" })],
])("an attempt of %s ends after %i ms by default", async (_, ms, call) => {
  expect(await play([hang], call)).toMatchObject({ error: { code: "timeout" }, ms });
});

it("a submission with its retries ends after two minutes by default", async () => {
  const soon = refuse(429, { "retry-after": "107" });
  const late = refuse(429, { "retry-after": "108" });
  expect(await play([soon, hang], submitJob)).toMatchObject({ ms: 120_000, sentAt: [0, 107_001] });
  expect(await play([late, hang], submitJob)).toMatchObject({ ms: 0, sentAt: [0] });
});

it.each<[string, ClientOptions, number]>([
  ["an apiKey function that hangs", { apiKey: hang }, 60],
  ["a hook that has used it up", { hooks: { onRequest: () => holdUp(150) } }, 150],
])("the time limit holds against %s, and nothing is sent", async (_, options, ms) => {
  const played = await play([hang], submitJob, { timeoutMs: 60, ...options });
  const message = "POST /v1/jobs timed out after 60 ms (timeoutMs)";
  expect(played.error).toMatchObject({ code: "timeout", outcome: "not-sent", message });
  expect(played).toMatchObject({ ms, sentAt: [] });
});

it.each<[string, number, number]>([
  ["before the call", 0, 0],
  ["while the apiKey function runs", 1, 0],
  ["by the onRequest hook", 1, 1],
])("an abort %s sends nothing, whatever fetch does", async (phase, attempts, heard) => {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (when: string) => void (phase.includes(when) && controller.abort(reason));
  const fetch = vi.fn(accepted);
  const onRequest = vi.fn(() => abort("hook"));
  const apiKey = vi.fn(async () => {
    abort("function");
    await pause(10);
    return testKey;
  });
  abort("before");

  const { jobs } = clientOver(fetch, { apiKey, hooks: { onRequest } });
  const error = await rejection(jobs.submit(paidJob, { signal }));
  await pause(20);

  expectAbort(error);
  const message = "POST /v1/jobs was aborted";
  expect(error).toMatchObject({ outcome: "not-sent", attempts, method: "POST", message });
  const counts = [fetch, apiKey, onRequest].map(({ mock }) => mock.calls.length);
  expect(counts).toEqual([0, attempts, heard]);
});

it("an abort a few microtasks after the call sends nothing, even if fetch ignores the signal", async () => {
  for (let ticks = 0; ticks < 40; ticks++) {
    const controller = new AbortController();
    const { signal } = controller;
    const wasAborted: boolean[] = [];
    const { jobs } = clientOver(async () => {
      wasAborted.push(signal.aborted);
      return accepted();
    });
    const ended = jobs.submit(paidJob, { signal }).catch(() => "aborted");
    for (let tick = 0; tick < ticks; tick++) await undefined;
    controller.abort(reason);
    await ended;
    expect(wasAborted, `after ${ticks} ticks`).not.toContain(true);
  }
});

it.concurrent("an abort ends the call while the connection is being made", async () => {
  // A TLS handshake that nobody answers.
  const connected = Promise.withResolvers<Socket>();
  const server = createServer(connected.resolve);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const { jobs } = clientOf({ url: `https://127.0.0.1:${port}` });

  const error = await abortWhen(connected.promise, (signal) => jobs.submit(paidJob, { signal }));

  expect(error.outcome).toBe("not-sent");
  (await connected.promise).destroy();
  server.close();
});

type Hold = () => Promise<never>;
type Aborted = (client: AdGenClient, options: CallOptions) => Promise<unknown>;
const post: Aborted = ({ jobs }, options) => jobs.submit(paidJob, options);
const read: Aborted = ({ jobs }, options) => jobs.get("j", options);
const busy = (status: number, wait: string) => failure(status, "wait", { "retry-after": wait });
const inFetch = (fetch: Hold): ClientOptions => ({ fetch });
const inWait = (onFailure: Hold): ClientOptions => ({ hooks: { onFailure } });

it.concurrent.each<[string, Answer, (hold: Hold) => ClientOptions, Aborted, object]>([
  ["fetch ignores the signal", silence, inFetch, post, { outcome: "unknown" }],
  ["a read waits to be repeated", busy(503, "0.05"), inWait, read, { jobId: "j" }],
  ["a refused submission waits", busy(429, "30"), inWait, post, { outcome: "refused" }],
])("an abort while %s ends the call, and sends nothing more", async (...row) => {
  const [, answer, optionsOf, call, facts] = row;
  const reached = Promise.withResolvers<void>();
  const server = await listen(answer, queued());
  const hold = () => {
    reached.resolve();
    return hang();
  };
  const client = clientOf(server, optionsOf(hold));

  const error = await abortWhen(reached.promise, (signal) => call(client, { signal }));
  await pause(100);

  expect(error).toMatchObject({ attempts: 1, ...facts });
  const name = call === read ? "GET /v1/jobs/j" : "POST /v1/jobs";
  if (optionsOf === inWait) expect(error.message).toBe(`${name} was aborted`);
  expect(server.received.length).toBeLessThanOrEqual(1);
});

it.concurrent.each([["a text"], [{ why: "quota" }], [null], [0]])(
  "an abort keeps %j as its cause",
  async (why) => {
    const error = await rejection(post(clientOver(hang), { signal: AbortSignal.abort(why) }));
    expect(error.name).toBe("AbortError");
    expect(error.cause).toBe(why);
  },
);

it.concurrent("AbortSignal.timeout aborts a call, with the timeout as the cause", async () => {
  const signal = AbortSignal.timeout(1_000);
  const { error } = await failing(silence, (client) => post(client, { signal }));
  expect(error).toMatchObject({ name: "AbortError", cause: { name: "TimeoutError" } });
  expect(error.message).toBe(`POST /v1/jobs was aborted (TimeoutError)${doubtOfSubmission}`);
});

const slowDown = failure(429, "slow", { "retry-after": "0" });
it.concurrent.each<[what: string, Answer, expected: object]>([
  [
    "waits for its response, and names its job",
    queued("job-1"),
    { jobId: "job-1", outcome: undefined },
  ],
  ["doesn't retry it after a 429", slowDown, { outcome: "refused", jobId: undefined }],
])("an abort of submitAndPoll after its submission has left %s", async (_, answer, expected) => {
  const arrived = Promise.withResolvers<void>();
  const server = await listen((response, request) => {
    arrived.resolve();
    setTimeout(() => answer(response, request), 300);
  });
  const controller = new AbortController();
  const { jobs } = clientOf(server);
  const ended = rejection(jobs.submitAndPoll(paidJob, { signal: controller.signal }));
  await arrived.promise;
  controller.abort(reason);
  const error = await ended;
  expectAbort(error);
  const { outcome, jobId } = error;
  expect({ outcome, jobId }).toEqual(expected);
  expect(server.received).toHaveLength(1);
});

it.concurrent("an abort of submitAndPoll ends it at once before anything has left, and sends nothing afterwards", async () => {
  const server = await listen(queued("job-1"));
  const key = Promise.withResolvers<string>();
  const { jobs } = clientOf(server, { apiKey: () => key.promise });
  const error = await abortWhen(pause(20), (signal) => jobs.submitAndPoll(paidJob, { signal }));
  expect(error).toMatchObject({ outcome: "not-sent" });
  key.resolve(testKey);
  await pause(50);
  expect(server.received).toEqual([]);
});
