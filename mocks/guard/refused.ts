import { notSentKey } from "../../src/contract/not-sent.ts";

/**
 * Marks the error of a refused request with the request's URL. The client then knows that this request
 * never left, even if the error is the cause of another one.
 */
export const markRefused = <Refused extends Error>(error: Refused, url: string): Refused =>
  Object.defineProperty(error, notSentKey, { value: url, configurable: true });
