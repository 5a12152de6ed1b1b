import { actions } from "./actions.ts";

const unsupportedActionPrefix = "Invalid action. Supported: ";

/** Documented to the letter: section 7, rule 1. */
export const unsupportedActionMessage: string = /* @__PURE__ */ (() =>
  unsupportedActionPrefix + actions.join(", "))();

/** The action names in an "unsupported action" message; `undefined` when the message is another one. */
export const parseSupportedActions = (message: string): readonly string[] | undefined =>
  message.startsWith(unsupportedActionPrefix)
    ? message.slice(unsupportedActionPrefix.length).split(", ")
    : undefined;

/**
 * What the mock says where the document shows no words. Nothing may depend on them, the
 * client does not import them: a table of its own, so that bundles leave it out.
 *
 * @assumed A15
 */
export const assumedMessages = {
  unauthorized: "API key invalid or missing",
  insufficientCredits: "Insufficient credits",
  endpointNotFound: "Endpoint not found",
  jobNotFound: "Job not found",
  brandNotFound: "Brand not found",
  savedAdNotFound: "Saved ad not found",
  bodyNotJson: "Request body must be valid JSON",
  bodyNotObject: "Request body must be a JSON object",
  bodyTooDeep: "Request body is nested too deeply",
  invalidParameter: (name: string, reason: string): string =>
    `Invalid parameter ${name}: ${reason}`,
  jobExpired: "Job expired",
  jobFailed: "Generation failed",
  rateLimited: "Too many requests",
  serviceFault: (status: number): string => `The service answers with ${status}`,
} as const;
