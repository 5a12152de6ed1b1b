import {
  type AdGenClient,
  type AnyAdGenError,
  type ClientOptions,
  createClient,
  type PollOptions,
  pollJob,
} from "adgen-sdk";
import { beforeEach, onTestFinished, vi } from "vitest";

/** Answer to one poll; it may come late, or never. */
export type Poll = (request: Request) => Response | Promise<Response>;

const headersOf = (retryAfter: number | string | undefined): HeadersInit =>
  retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };

const envelope = (status: number, data: unknown, retryAfter?: number | string): Response =>
  Response.json(
    { success: status < 400, data, error: status < 400 ? null : `says ${status}` },
    { status, headers: headersOf(retryAfter) },
  );

export const seen =
  (status: string, retryAfter?: number | string): Poll =>
  () =>
    envelope(200, { status }, retryAfter);

export const refused =
  (status: number, retryAfter?: number | string): Poll =>
  () =>
    envelope(status, null, retryAfter);

/** The network is down. */
export const offline: Poll = () => Promise.reject(new TypeError("fetch failed"));

export const silent: Poll = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

export const late =
  (ms: number, poll: Poll): Poll =>
  (request) =>
    new Promise((resolve) => setTimeout(() => resolve(poll(request)), ms));

export interface ScriptedClient {
  readonly client: AdGenClient;
  /** When each poll was made, in milliseconds of the faked clock from now on. */
  readonly polls: readonly number[];
  /** The faked time from now on. */
  readonly now: () => number;
}

/**
 * A client without a network, on the clock that the test fakes: its fetch plays a script, one
 * entry a poll; the last one stays. Fake the timers first. Waits have no jitter.
 * Its times come from `clock`: the one that stands still in no test but about clocks.
 */
export const createScriptedClient = (
  script: readonly Poll[],
  options?: ClientOptions,
  clock: () => number = () => performance.now(),
): ScriptedClient => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  onTestFinished(() => void vi.restoreAllMocks());
  const startedAt = clock();
  const now = () => Math.round(clock() - startedAt);
  const polls: number[] = [];
  const client = createClient({
    baseUrl: "http://ads.test",
    apiKey: "test-key",
    fetch: async (request) => {
      const poll = script[Math.min(polls.length, script.length - 1)] as Poll;
      polls.push(now());
      return poll(request);
    },
    ...options,
  });
  return { client, polls, now };
};

export interface Settled {
  /** When, on the faked clock. */
  at?: number;
  value?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: tests poll at every field
  error?: any;
}

/** Fills in what became of a promise, as soon as it settles. */
export const watchPromise = (promise: Promise<unknown>, now: () => number): Settled => {
  const settled: Settled = {};
  promise.then(
    (value) => Object.assign(settled, { at: now(), value }),
    (error) => Object.assign(settled, { at: now(), error }),
  );
  return settled;
};

/** Fakes the timers in each test of a file. */
export const useFakedTime = (): void =>
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

export interface Played {
  /** When each poll was made. */
  readonly polls: readonly number[];
  /** Polls of which `onPollFailed` was told. */
  readonly failed: readonly AnyAdGenError[];
  readonly settled: Settled;
}

/** Waits for `job_1` to the end, by a script. In a forced pace no learned durations change times. */
export const play = async (
  script: readonly Poll[],
  options: PollOptions = {},
  clientOptions: ClientOptions = {},
): Promise<Played> => {
  const { client, polls, now } = createScriptedClient(script, clientOptions);
  const failed: AnyAdGenError[] = [];
  const onPollFailed = (error: AnyAdGenError) => failed.push(error);
  const waited = pollJob(client, "job_1", { intervalMs: 1_000, onPollFailed, ...options });
  const settled = watchPromise(waited, now);
  await vi.runAllTimersAsync();
  return { polls, failed, settled };
};
