import { bodies } from "../../src/contract/bodies.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { type Envelope, failureEnvelope, successEnvelope } from "../../src/contract/envelope.ts";
import { findIssues } from "../../src/contract/schema.ts";
import { isDeeperThan, maxDepth } from "../domain/depth.ts";
import { assumedMessages } from "../domain/messages.ts";
import { Refusal } from "../domain/refusal.ts";
import type { AccountState, Context } from "../domain/state.ts";
import type { Match } from "./match.ts";
import { type CheckedCall, firstChecks, type OperationResult, routes } from "./routes.ts";

/** An answer of the service, before a fault meets it. */
export interface Answer {
  readonly status: number;
  readonly envelope: Envelope;
  /** Milliseconds until the client had better ask again. */
  readonly retryAfterMs?: number | undefined;
}

const statusOf: Readonly<Record<Refusal["kind"], number>> = {
  invalid: 400,
  unauthorized: 401,
  payment_required: 402,
  not_found: 404,
};

const authenticate = (account: AccountState | undefined): AccountState => {
  if (account === undefined) throw new Refusal("unauthorized", assumedMessages.unauthorized);
  return account;
};

/** Parses a body. Its text decides, because the document names no content type. */
const parseObject = (text: string): Record<string, unknown> => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal("invalid", assumedMessages.bodyNotJson);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Refusal("invalid", assumedMessages.bodyNotObject);
  }
  if (isDeeperThan(maxDepth, body)) throw new Refusal("invalid", assumedMessages.bodyTooDeep);
  return body as Record<string, unknown>;
};

/** Reads a body as it was sent: the schema checks it, and changes nothing. */
const validate = (name: EndpointName, text: string): unknown => {
  const schema = bodies[name];
  if (schema === undefined) return undefined;
  const body = parseObject(text);
  firstChecks[name]?.(body);
  const [issue] = findIssues(schema, body);
  if (issue === undefined) return body;
  const reason = assumedMessages.invalidParameter(issue.path.join("."), issue.message);
  throw new Refusal("invalid", reason);
};

/**
 * Answers one request, from the key to the envelope. The order of the checks is assumed.
 *
 * @assumed A14
 * @param account - The account of the request's key; `undefined` when no account has it
 */
export const answer = (
  account: AccountState | undefined,
  matched: Match | undefined,
  url: URL,
  body: string,
  circumstances: Omit<Context, "account">,
): Answer => {
  try {
    const authenticated = authenticate(account);
    if (matched === undefined) throw new Refusal("not_found", assumedMessages.endpointNotFound);
    const operate = routes[matched.name] as (call: CheckedCall) => OperationResult;
    const { data, retryAfterMs } = operate({
      ...circumstances,
      account: authenticated,
      id: matched.id,
      body: validate(matched.name, body),
      url,
    });
    return { status: matched.endpoint.status, envelope: successEnvelope(data), retryAfterMs };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: statusOf[error.kind], envelope: failureEnvelope(error.message) };
  }
};
