import type { AnyAdGenError } from "adgen-sdk";

const timeIn = (ms: number): string => {
  const time = new Date(Date.now() + ms);
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return `${time.toLocaleString("en", format)} UTC`;
};

/** Tells a person in one or two sentences why a call failed, and what to do. */
export const describeError = (error: AnyAdGenError): string => {
  if (error.outcome === "unknown") {
    return "The connection was lost, and your ads may be on their way. Look at the list before you order again.";
  }
  if (error.code === "unauthorized") return "You are no longer signed in. Sign in again.";
  if (error.code === "payment_required") {
    if (error.limit === undefined) return "There are no credits left. Nothing was ordered.";
    // An order that is larger than the whole limit never fits.
    const until = error.retryAfterMs === undefined ? "" : ` until ${timeIn(error.retryAfterMs)}`;
    return `This is more than your limit allows${until}. Nothing was ordered.`;
  }
  if (error.code === "not_found") return "This job is gone.";
  if (error.code === "bad_request")
    return "The service did not take this order. Change it, and try again.";
  return "The service cannot be reached. Try again in a while.";
};
