import type { AnyAdGenError } from "adgen-sdk";
import { isObject } from "../client/options/rules.ts";

/** Returns the words of a failure that the service sent in its envelope. */
export const serviceWordsOf = ({ received }: AnyAdGenError): string | undefined => {
  if (!isObject(received) || received["success"] !== false) return undefined;
  return typeof received["error"] === "string" ? received["error"] : "";
};

/**
 * Returns the status that the page gets for a failure. A status that the page would take for its
 * own fault, such as the 401 of the proxy's key, becomes 502.
 */
export const statusFor = ({ status = 0 }: AnyAdGenError): number =>
  status === 429 || (status >= 500 && status <= 599) ? status : 502;

/** Describes a failure whose own message the page must not see, or would take for its own fault. */
export const describeFailure = ({ code, status = 0 }: AnyAdGenError): string => {
  if (status >= 500 && status <= 599) return `the service failed (${status})`;
  if (status === 401 || status === 403) return "the service refused the proxy";
  if (code === "timeout") return "the service did not answer in time";
  if (code === "decode" || status > 0) return "the service's answer could not be used";
  return "the service could not be reached, or its answer was lost";
};
