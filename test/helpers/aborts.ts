import { expect } from "vitest";
import type { AdGenError } from "../../src/index.ts";
import { pause, rejection } from "./client.ts";

export const reason = new Error("the user left");

/** Checks what every abort has in common. */
export const expectAbort = (error: AdGenError): void => {
  expect(error).toMatchObject({ name: "AbortError", code: "aborted" });
  expect(error.cause).toBe(reason);
};

/** Aborts a call once `ready`, and gives its error, which must come within 100 ms. */
export const abortWhen = async (
  ready: Promise<unknown>,
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<AdGenError> => {
  const controller = new AbortController();
  const ended = rejection(call(controller.signal));
  await ready;
  controller.abort(reason);
  // Raced, not measured: a machine that stands still for a while delays both.
  const error = await Promise.race([ended, pause(100)]);
  if (!error) throw new Error("The abort took more than 100 ms.");
  expectAbort(error);
  return error;
};
