import { vi } from "vitest";
import { type AdGenError, type ClientOptions, toResult } from "../../src/client/index.ts";
import { type Call, clientOver } from "./calls.ts";

/** End of a call in virtual time. */
export interface Played {
  readonly data: unknown;
  readonly error: AdGenError | undefined;
  /** Milliseconds from the call to its end. */
  readonly ms: number;
  /** Milliseconds from the call to each of its requests. */
  readonly sentAt: readonly number[];
}

/** Time at which each played call begins. */
export const startOfTime = Date.UTC(2026, 10, 22);

/**
 * Makes a call in virtual time, in which only timers take time. Each request gets the next answer,
 * which is a response or an error to throw; the last answer is repeated.
 */
export const play = async (
  answers: readonly (() => unknown)[],
  call: Call,
  options: ClientOptions = {},
): Promise<Played> => {
  const toFake = ["setTimeout", "clearTimeout", "performance", "Date"] as const;
  vi.useFakeTimers({ now: startOfTime, toFake: [...toFake] });
  try {
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    const sentAt: number[] = [];
    const fetch = async (): Promise<unknown> => {
      const place = Math.min(sentAt.push(elapsed()), answers.length) - 1;
      return answers[place]?.();
    };
    const ended = toResult(call(clientOver(fetch, options))).then(({ data, error }) => ({
      data,
      error,
      ms: elapsed(),
      sentAt,
    }));
    await vi.runAllTimersAsync();
    return await ended;
  } finally {
    vi.useRealTimers();
  }
};

/** Creates the response of a failure in its envelope, for a `fetch` to return. */
export const refuse =
  (status: number, headers: Record<string, string> = {}) =>
  (): Response =>
    Response.json({ success: false, data: null, error: "no" }, { status, headers });

/** Never answers. */
export const hang = (): Promise<never> => new Promise(() => {});

/** Imitates a process that is held up: the clock of a played call goes on, but no timer runs. */
export const holdUp = (ms: number): void => {
  const now = performance.now.bind(performance);
  performance.now = () => now() + ms;
};
