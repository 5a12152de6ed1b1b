import type { Endpoint } from "./contract/endpoint.ts";
import { parseSupportedActions } from "./contract/error-messages.ts";
import { readPage } from "./contract/page.ts";
import type { ErrorContext, Outcome, ServiceErrorCode } from "./error-context.ts";
import { type AdGenError, callError } from "./errors.ts";
import { checkWith, decodeError, type StandardSchema } from "./standard-schema.ts";

/** How far a request has come; what its answer, or its failure, means depends on it. */
export interface Progress {
  /** What had become of the call before this attempt; of a read nobody asks. */
  readonly before: Outcome | undefined;
  /** What is known so far: with a `status` once the headers are there. */
  context: ErrorContext;
  /** Cuts foreign text to what may stand in an error: a bounded line, without the key. */
  clean: (text: string) => string;
  /** Set when the attempt's time is over. */
  expired?: boolean;
}

export const isOk = ({ status = 0 }: ErrorContext): boolean => status >= 200 && status < 300;

/** Parses JSON; keys named `__proto__` are dropped, so that no later copy can trip over them. */
const parseJson = (text: string): unknown =>
  JSON.parse(
    text,
    /__proto__|\\u00[567]/.test(text)
      ? (key, value) => (key === "__proto__" ? undefined : value)
      : undefined,
  );

const codeOfStatus: { readonly [status: number]: ServiceErrorCode } = {
  400: "bad_request",
  401: "unauthorized",
  402: "payment_required",
  404: "not_found",
  429: "rate_limited",
};

/** The error for an answer that is not a success. */
export const errorOfStatus = ({ before, clean, context }: Progress, said?: unknown): AdGenError => {
  const { status = 0, outcome } = context;
  const refusal = codeOfStatus[status];
  const redirect = status < 400 && !isOk(context); // a browser shows it as 0
  const details = redirect ? "redirects are not followed" : typeof said === "string" && clean(said);
  return callError(
    refusal ?? (status > 499 ? "server_error" : "unexpected_status"),
    `answered ${status}${details ? `: ${details}` : ""}`,
    {
      ...context,
      // A refusal says nothing of an attempt before it: a delete may have been carried out.
      outcome: refusal && before !== "unknown" ? before && "refused" : outcome,
      supportedActions: status === 400 && details ? parseSupportedActions(details) : undefined,
    },
  );
};

/** What a method of the client says of its answer. */
export interface Expected {
  /** The caller's, for the answer or for each item of a list. */
  readonly schema?: StandardSchema | undefined;
  /** What stands for the data of an answer without any; absent where there must be some. */
  readonly empty?: object;
}

/** The data of a success, checked and complete; throws anything else as an error. */
export const decodeAnswer = async (
  { answer, list }: Endpoint,
  { schema, empty }: Expected,
  progress: Progress,
  text: string | undefined,
): Promise<unknown> => {
  const { context } = progress;
  const ok = isOk(context);
  let body: unknown = { success: true, data: empty, error: null };
  try {
    if (!empty || text || !ok) body = parseJson(text ?? "");
  } catch {
    throw ok ? decodeError("without JSON", context) : errorOfStatus(progress);
  }
  const { success, data, error } = (body ?? {}) as Record<string, unknown>;
  if (!ok || success === false) throw errorOfStatus(progress, error);
  const about = { ...context, received: body };
  // By hand, as the three fields must also agree with each other.
  if (success !== true || error !== null) throw decodeError("without the envelope", about);
  const page = list ? readPage(data, list) : { items: [data ?? empty] };
  if (!page) throw decodeError("without a list", about);
  const call = { ...progress, context: about };
  const items: unknown[] = [];
  for (const item of page.items) {
    const path = list ? [list, items.length] : [];
    // The contract only checks: what it does not name is kept as received.
    await checkWith(answer as StandardSchema, item, path, call);
    items.push(await checkWith(schema, item, path, call));
  }
  return list ? { ...page, items } : items[0];
};
