import { ConfigError, InvalidRequestError } from "./errors.ts";
import { maxTimerMs } from "./sleep.ts";

/** Throws, and names the option or field in its message. */
export type Refuse = (message: string, cause?: unknown) => never;

/** For an option of the client. */
export const refuseOption: Refuse = (message) => {
  throw new ConfigError("config", message, { outcome: "not-sent" });
};

/** For an argument of a call. */
export const refuseArgument: Refuse = (message, cause) => {
  throw new InvalidRequestError("invalid_request", message, { outcome: "not-sent", cause });
};

export const checkNumber = (
  name: string,
  value: unknown,
  min: number,
  max: number,
  refuse: Refuse,
): number =>
  typeof value === "number" && value >= min && value <= max
    ? value
    : refuse(`${name} must be a number from ${min} to ${max}`);

/** A duration that is waited for: beyond the timer's range it would be over at once. */
export const checkMs = (name: string, value: unknown, refuse: Refuse, min = 1): number =>
  checkNumber(name, value, min, maxTimerMs, refuse);

/** Refuses an option nobody reads: misspelt, most often, and then silently without effect. */
export const checkNoOthers = (others: object, refuse: Refuse): void => {
  for (const name in others) refuse(`${name} is not an option`);
};

export const checkFunction = <F>(name: string, value: F, refuse: Refuse): F =>
  value === undefined || typeof value === "function" ? value : refuse(`${name} must be a function`);

/** Refuses what is not an abort signal: the controller in its signal's place, most often. */
export const checkSignal = (
  signal: AbortSignal | undefined,
  refuse: Refuse,
): AbortSignal | undefined =>
  signal === undefined || typeof signal?.addEventListener === "function"
    ? signal
    : refuse("signal must be an AbortSignal");

/** Copies headers, refusing what cannot be sent without quoting it: a value may be a secret. */
export const checkHeaders = (
  given: Record<string, string> | undefined,
  refuse: Refuse,
): Record<string, string> => {
  try {
    const headers = new Headers(given);
    if (!headers.has("authorization")) return Object.fromEntries(headers);
  } catch {}
  return refuse("headers must be sendable, without Authorization");
};
