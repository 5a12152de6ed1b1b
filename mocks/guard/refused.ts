import { notSentKey } from "../../src/contract/not-sent.ts";

/**
 * Marks the error of a request that the mock refuses, with the request's URL. The client then
 * knows that this request never left, in whichever error it finds this one.
 */
export const markRefused = <Refused extends Error>(error: Refused, url: string): Refused =>
  Object.defineProperty(error, notSentKey, { value: url, configurable: true });
