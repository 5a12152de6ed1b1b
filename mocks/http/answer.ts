import { bodies } from "../../src/contract/bodies.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { type Envelope, failureEnvelope, successEnvelope } from "../../src/contract/envelope.ts";
import { findIssues } from "../../src/contract/schema.ts";
import { assumedMessages } from "../domain/messages.ts";
import { Refusal } from "../domain/refusal.ts";
import type { AccountState, Context } from "../domain/state.ts";
import type { Match } from "./match.ts";
import { parseBody } from "./parse-body.ts";
import { type CheckedCall, firstChecks, type OperationResult, routes } from "./routes.ts";

/** An answer of the service, before a fault meets it. */
export interface Answer {
  readonly status: number;
  readonly envelope: Envelope;
  /** Milliseconds until the client had better ask again. */
  readonly retryAfterMs?: number | undefined;
  /** Headers of its own, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
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

/** Headers that HTTP asks for beside a status. @assumed A20 */
const headersOf: Partial<Record<Refusal["kind"], Answer["headers"]>> = {
  unauthorized: { "www-authenticate": "Bearer" },
};

/** Answers a method that a path does not have, or a path that the API does not have. @assumed A21 */
const answerMismatch = (methods: readonly string[]): Answer => {
  if (methods.length === 0) throw new Refusal("not_found", assumedMessages.endpointNotFound);
  return {
    status: 405,
    envelope: failureEnvelope(assumedMessages.methodNotAllowed),
    headers: { allow: methods.join(", ") },
  };
};

/** Reads a body as it was sent: the contract checks it, and changes nothing. */
const validate = (name: EndpointName, text: string): unknown => {
  const fields = bodies[name];
  if (fields === undefined) return undefined;
  const body = parseBody(text);
  firstChecks[name]?.(body);
  const [issue] = findIssues(fields, body);
  if (issue === undefined) return body;
  const reason = assumedMessages.invalidParameter(issue.path.join("."), issue.message);
  throw new Refusal("invalid", reason);
};

/**
 * Answers one request, from the key to the envelope. The order of the checks is assumed.
 *
 * @assumed A14
 * @param account - The account of the request's key; `undefined` when no account has it
 * @param found - The endpoint, or the methods that its path has instead
 */
export const answer = (
  account: AccountState | undefined,
  found: Match | readonly string[],
  url: URL,
  body: string,
  circumstances: Omit<Context, "account">,
): Answer => {
  try {
    const authenticated = authenticate(account);
    if (!("endpoint" in found)) return answerMismatch(found);
    const operate = routes[found.name] as (call: CheckedCall) => OperationResult;
    const { data, retryAfterMs } = operate({
      ...circumstances,
      account: authenticated,
      id: found.id,
      body: validate(found.name, body),
      url,
    });
    return { status: found.endpoint.status, envelope: successEnvelope(data), retryAfterMs };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const headers = headersOf[error.kind];
    const envelope = failureEnvelope(error.message);
    return { status: statusOf[error.kind], envelope, ...(headers && { headers }) };
  }
};
