/** A refusal by a rule of the service. An operation throws it, and the client gets its message. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly kind: "invalid" | "unauthorized" | "payment_required" | "not_found";

  /** An explanation for the request log and the mock's page. No answer contains it. */
  readonly hint: string | undefined;

  constructor(kind: Refusal["kind"], message: string, hint?: string) {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }
}

/**
 * The mock's messages where the API's document gives none. No client may depend on them.
 *
 * @assumed A15
 */
export const assumedMessages = {
  unauthorized: "API key invalid or missing",
  insufficientCredits: "Insufficient credits",
  endpointNotFound: "Endpoint not found",
  methodNotAllowed: "Method not allowed",
  jobNotFound: "Job not found",
  brandNotFound: "Brand not found",
  savedAdNotFound: "Saved ad not found",
  bodyTooLarge: "Request body is too large",
  bodyNotJson: "Request body must be valid JSON",
  bodyNotObject: "Request body must be a JSON object",
  bodyTooDeep: "Request body is nested too deeply",
  invalidParameter: (name: string, reason: string): string =>
    `Invalid parameter ${name}: ${reason}`,
  jobExpired: "Job expired",
  jobFailed: "Generation failed",
  rateLimited: "Too many requests",
} as const;

const statusMessages: Readonly<Record<number, string>> = {
  401: assumedMessages.unauthorized,
  402: assumedMessages.insufficientCredits,
  429: assumedMessages.rateLimited,
  502: "Bad gateway",
  503: "Service unavailable",
};

/** Returns the message of a fault with this status, in the words that services commonly use. */
export const messageOfStatus = (status: number): string =>
  statusMessages[status] ?? (status < 500 ? "Request refused" : "Internal error");
