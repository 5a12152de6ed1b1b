/** A reason of the service to say no. An operation throws it, and the client gets its message. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly kind: "invalid" | "unauthorized" | "payment_required" | "not_found";

  /** More about it for a person who looks at the mock; no answer has it. */
  readonly hint: string | undefined;

  constructor(kind: Refusal["kind"], message: string, hint?: string) {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }
}

/**
 * Messages of the mock where the document shows none. No client may depend on them.
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

/** Returns the error of a planned status, in the words that services commonly use. */
export const messageOfStatus = (status: number): string =>
  statusMessages[status] ?? (status < 500 ? "Request refused" : "Internal error");
