import { expect } from "vitest";
import type { AdGenError } from "../../src/index.ts";
import { rejection } from "./client.ts";

export const reason = new Error("the user left");

/** Aborts when `ready` resolves; gives the error, and how long it took from there. */
export const abortWhen = async (
  ready: Promise<unknown>,
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<{ error: AdGenError; ms: number }> => {
  const controller = new AbortController();
  const ended = rejection(call(controller.signal));
  await ready;
  const abortedAt = performance.now();
  controller.abort(reason);
  const error = await ended;
  return { error, ms: performance.now() - abortedAt };
};

/** Checks what every abort has in common. */
export const expectAbort = ({ error, ms }: { error: AdGenError; ms: number }): void => {
  expect(error).toMatchObject({ name: "AbortError", code: "aborted" });
  expect(error.cause).toBe(reason);
  expect(ms).toBeLessThan(100);
};
