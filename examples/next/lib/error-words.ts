import type { AnyAdGenError } from "adgen-sdk";

const timeOf = (ms: number): string =>
  new Date(ms).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });

/** Tells a person in one or two sentences why a call failed, and what to do. */
export const describeError = (error: AnyAdGenError): string => {
  if (error.outcome === "unknown") {
    return "The connection was lost, and your ads may be on their way. Look at the list before you order again.";
  }
  if (error.code === "unauthorized") return "You are no longer signed in. Sign in again.";
  if (error.code === "payment_required") {
    // Only the limit of the proxy says when it ends.
    return error.retryAfterMs === undefined
      ? "There are no credits left. Nothing was ordered."
      : `Your limit is used up until ${timeOf(Date.now() + error.retryAfterMs)}. Nothing was ordered.`;
  }
  if (error.code === "not_found") return "This job is gone.";
  if (error.code === "bad_request")
    return "The service did not take this order. Change it, and try again.";
  return "The service cannot be reached. Try again in a while.";
};
