import { isAdGenError } from "adgen-sdk";

/** An error in words for a visitor. */
export interface Words {
  readonly title: string;
  readonly text: string;
}

/** Writes a time span: "5 h", "12 min", "8 s". */
const spanOf = (ms: number): string => {
  if (ms >= 5_400_000) return `${Math.round(ms / 3_600_000)} hours`;
  return ms >= 90_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.ceil(ms / 1_000)} seconds`;
};

/** Takes the service's sentence out of a message: "POST /v1/jobs answered 400: Invalid action". */
const sentenceOf = (message: string): string => {
  const [first = "", ...rest] = message.replace(/^.*? answered \d+:? ?/, "");
  return `${first.toUpperCase()}${rest.join("")}.`;
};

/** Says what went wrong, and what to do. */
export const sayError = (error: unknown): Words => {
  if (!navigator.onLine) {
    return { title: "You are offline", text: "Nothing is lost. Try again when you are back." };
  }
  if (!isAdGenError(error)) {
    return { title: "The studio does not answer", text: "Try again in a moment." };
  }
  const { code, message, outcome, retryAfterMs } = error;
  const again = retryAfterMs === undefined ? "" : ` Try again in ${spanOf(retryAfterMs)}.`;
  if (outcome === "unknown") {
    return {
      title: "We could not find it",
      text: "The answer got lost, and your list shows no new job. It may still have been made and paid: look at your credits before you order again.",
    };
  }
  switch (code) {
    case "payment_required":
      // A limit of the studio, or the service's own 402.
      return error.limit === undefined
        ? { title: "Not enough credits", text: "The team’s account cannot pay for this." }
        : { title: "That is more than your limit", text: sentenceOf(message) };
    case "bad_request":
      return { title: "The service did not accept this", text: sentenceOf(message) };
    case "unauthorized":
      return { title: "You are signed out", text: "Sign in again." };
    case "not_found":
      return { title: "This job is gone", text: "It may be too old, or somebody else’s." };
    case "rate_limited":
      return { title: "Too many orders at once", text: `Nothing was charged.${again}` };
    case "poll_timeout":
      return { title: "This takes too long", text: "The job has not finished in half an hour." };
    default:
      return {
        title: outcome === "not-sent" ? "It was not sent" : "The service does not answer",
        text: `${outcome === undefined ? "" : "Nothing was charged. "}Try again in a moment.`,
      };
  }
};
