import {
  type AnyAdGenError,
  type ClientOptions,
  createClient,
  type Job,
  type JobRef,
  type PollOptions,
} from "adgen-sdk";
import { expect, onTestFinished, vi } from "vitest";
import { submitAndPoll, type Wait, ways } from "./ways.ts";

/** Answer to one poll; it may come late, or never. */
export type Poll = (request: Request) => Response | Promise<Response>;

/** Entry of a script: a poll, the status that it shows, or the number of a refusal. */
export type Step = Poll | string | number;

export const pollOf = (step: Step): Poll => {
  if (typeof step === "function") return step;
  return typeof step === "string" ? seen(step) : refused(step);
};

export const times = (count: number, step: Step): Step[] => Array(count).fill(step);

/** An answer with this body. */
export const answer =
  (body: unknown, status = 200, headers: HeadersInit = {}): Poll =>
  () =>
    Response.json(body, { status, headers });

/** A success in its envelope. */
export const success = (data: unknown, status = 200, headers: HeadersInit = {}): Poll =>
  answer({ success: true, data, error: null }, status, headers);

const headersOf = (retryAfter: number | string | undefined): HeadersInit =>
  retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };

export const seen = (status: string, retryAfter?: number | string): Poll =>
  success({ status }, 200, headersOf(retryAfter));

export const refused = (status: number, retryAfter?: number | string): Poll =>
  answer({ success: false, data: null, error: `says ${status}` }, status, headersOf(retryAfter));

/** The answer to a submission. */
export const submitted = (retryAfter?: number): Poll =>
  success({ job_id: "job_1", status: "queued" }, 202, headersOf(retryAfter));

/** A response of a proxy or another server. */
export const page =
  (status: number, text = "<h1>Be right back</h1>", contentType = "text/html"): Poll =>
  () =>
    new Response(text, { status, headers: { "content-type": contentType } });

/** The network is down. */
export const offline: Poll = () => Promise.reject(new TypeError("fetch failed"));

export const silent: Poll = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

export const late =
  (ms: number, step: Step): Poll =>
  (request) =>
    new Promise((resolve) => setTimeout(() => resolve(pollOf(step)(request)), ms));

export const passTime = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Returns the ids of `count` jobs. */
export const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `job_${index}`);

export interface FakeRequest {
  readonly at: number;
  /** Id of a single job. */
  readonly id: string;
  readonly isPost: boolean;
}

export interface FakedOptions extends ClientOptions {
  /** Time to add to each response. */
  readonly latencyMs?: number;
  /** Clock of the recorded times. @default `performance.now()` */
  readonly clock?: () => number;
}

/** A client without a network, on the test's faked clock. `requests` lists all that it has sent. */
export const createFakedClient = (
  answerTo: (request: FakeRequest) => Step,
  { latencyMs = 0, clock = () => performance.now(), ...options }: FakedOptions = {},
) => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  onTestFinished(() => void vi.restoreAllMocks());
  const startedAt = clock();
  const now = () => Math.round(clock() - startedAt);
  const requests: FakeRequest[] = [];
  let atOnce = 0;
  let maxAtOnce = 0;
  const client = createClient({
    baseUrl: "http://ads.test",
    apiKey: "test-key",
    fetch: async (request) => {
      const isPost = request.method === "POST";
      const id = new URL(request.url).pathname.slice("/v1/jobs/".length);
      const received = { at: now(), id, isPost };
      requests.push(received);
      maxAtOnce = Math.max(maxAtOnce, ++atOnce);
      try {
        if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
        return await pollOf(answerTo(received))(request);
      } finally {
        atOnce--;
      }
    },
    ...options,
  });
  return { client, now, requests, maxAtOnce: () => maxAtOnce };
};

/**
 * Creates a client whose service plays a script: one entry for each request, and the last one for
 * all later requests. Fake the timers first. `polls` holds the time of each request, in
 * milliseconds.
 */
export const createScriptedClient = (script: readonly Step[], options?: FakedOptions) => {
  const polls: number[] = [];
  const next = ({ at }: FakeRequest): Step =>
    script[Math.min(polls.push(at), script.length) - 1] as Step;
  return { ...createFakedClient(next, options), polls };
};

export interface Settled {
  /** Time of the end on the faked clock. */
  at?: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at every field
  value?: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at every field
  error?: any;
}

/** Records how and when a promise settles. */
export const watchPromise = (promise: Promise<unknown>, now: () => number): Settled => {
  const settled: Settled = {};
  promise.then(
    (value) => Object.assign(settled, { at: now(), value }),
    (error) => Object.assign(settled, { at: now(), error }),
  );
  return settled;
};

export interface PlayOptions extends PollOptions {
  readonly client?: ClientOptions;
  readonly job?: JobRef;
  readonly wait?: Wait;
  /** Response to a submission before the wait. The script then answers the polls. */
  readonly submission?: Step;
}

/** Returns the options for `play` to wait in one of the ways, or by `submitAndPoll`. */
export const byWay = (name: string): PlayOptions =>
  name === "submitAndPoll"
    ? { submission: submitted() }
    : { wait: ways[name as keyof typeof ways] };

/**
 * Begins to wait for `job_1`, which a script plays, at a fixed pace that ignores known durations.
 * Returns what `onUpdate` (`updates`) and `onPollFailed` (`failed`) get.
 */
export const start = (
  script: readonly Step[],
  { client: clientOptions, job = "job_1", submission, ...given }: PlayOptions = {},
) => {
  const { wait = submission ? submitAndPoll : ways.pollJob, ...options } = given;
  const whole = submission ? [submission, ...script] : script;
  const scripted = createScriptedClient(whole, clientOptions);
  const failed: AnyAdGenError[] = [];
  const updates: Job[] = [];
  const waited = wait(scripted.client, job, {
    intervalMs: 1_000,
    onUpdate: (update) => updates.push(update),
    onPollFailed: (error) => failed.push(error),
    ...options,
  });
  return { ...scripted, updates, failed, settled: watchPromise(waited, scripted.now) };
};

/** Plays a script until the wait has ended. */
export const play = async (script: readonly Step[], options: PlayOptions = {}) => {
  const played = start(script, options);
  await vi.runAllTimersAsync();
  return played;
};

/** A script, the times of its polls, and the end. By default the job completes at the last poll. */
export type PlayedRow = [
  script: readonly Step[],
  options: PlayOptions,
  polls: readonly number[],
  end?: object,
];

export const expectPlayed = async (...[script, options, polls, end]: PlayedRow) => {
  const played = await play(end === undefined ? [...script, "completed"] : script, options);
  expect(played.polls).toEqual(polls);
  const value = { job_id: "job_1", status: "completed" };
  expect(played.settled).toMatchObject({ at: polls.at(-1), ...(end ?? { value }) });
};
