import { isAction } from "../../src/contract/actions.ts";
import { requestBodies } from "../../src/contract/bodies.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { unsupportedActionMessage } from "../../src/contract/supported-actions.ts";
import { isDeeperThan, maxDepth } from "../domain/depth.ts";
import { assumedMessages, Refusal } from "../domain/messages.ts";
import type { AccountState, Context } from "../domain/state.ts";
import { describeUnknown, unknownParametersOf } from "../journal/unknown-parameters.ts";
import type { Match } from "./match.ts";
import { isTooLarge, type Message, writeFailure, writeSuccess, writeTooLarge } from "./message.ts";
import { type CheckedCall, type OperationResult, routes } from "./routes.ts";

/** An answer of the service, before a fault meets it. */
export interface Answer extends Message {
  /** Id of the job that the request has made. */
  readonly jobId?: string | undefined;
  /** More about a refusal, for the log. */
  readonly hint?: string | undefined;
}

/** Status of a refusal, and the headers that HTTP asks for beside it. @assumed A20 */
const answers = {
  invalid: [400],
  unauthorized: [401, { "www-authenticate": "Bearer" }],
  payment_required: [402],
  not_found: [404],
} as const satisfies Record<Refusal["kind"], readonly [number, Message["headers"]?]>;

/** Answers a method that a path does not have, or a path that the API does not have. @assumed A21 */
const answerMismatch = (methods: readonly string[]): Answer => {
  if (methods.length === 0) throw new Refusal("not_found", assumedMessages.endpointNotFound);
  return writeFailure(405, assumedMessages.methodNotAllowed, { allow: methods.join(", ") });
};

/**
 * Parses a body. Its text decides, because the document names no content type.
 *
 * @assumed A22
 */
const parseBody = (text: string): Record<string, unknown> => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal("invalid", assumedMessages.bodyNotJson);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Refusal("invalid", assumedMessages.bodyNotObject);
  }
  // Each level has two brackets, so that a short text is not deep.
  const isDeep = text.length > 2 * maxDepth && isDeeperThan(maxDepth, body);
  if (isDeep) throw new Refusal("invalid", assumedMessages.bodyTooDeep);
  return body as Record<string, unknown>;
};

/** The fields of each call's body, and their schemas. */
const fieldsOf = new Map(
  Object.entries(requestBodies).map(([name, fields]) => [name, Object.entries(fields)]),
);

/** Reads a body as it was sent: the contract checks it, and changes nothing. @assumed A14 */
const validate = (name: EndpointName, text: string, isStrict: boolean): unknown => {
  const fields = fieldsOf.get(name);
  if (fields === undefined) return undefined;
  const body = parseBody(text);
  if (name === "jobs.submit" && !isAction(body["action"])) {
    throw new Refusal("invalid", unsupportedActionMessage());
  }
  for (const [field, schema] of fields) {
    if (!(field in body) && schema.type === "optional") continue;
    const [issue] = schema.safeParse(body[field]).error?.issues ?? [];
    if (issue === undefined) continue;
    const path = [field, ...issue.path].join(".");
    // zod's own words depend on the locale of the application's zod.
    const reason = issue.code === "invalid_type" ? `expected ${issue.expected}` : issue.message;
    throw new Refusal("invalid", assumedMessages.invalidParameter(path, reason));
  }
  const [unknown] = isStrict ? unknownParametersOf(name, body) : [];
  if (unknown === undefined) return body;
  throw new Refusal("invalid", assumedMessages.invalidParameter(unknown, describeUnknown(unknown)));
};

/**
 * Answers one request: checks the key, then the endpoint, then the body. That order is assumed.
 *
 * @assumed A14
 * @param account - The account of the request's key; `undefined` when no account has it
 * @param found - The endpoint, or the methods that its path has instead
 */
export const answer = (
  account: AccountState | undefined,
  found: Match | readonly string[],
  url: URL,
  text: string,
  circumstances: Omit<Context, "account">,
): Answer => {
  if (isTooLarge(text)) return writeTooLarge();
  try {
    if (account === undefined) throw new Refusal("unauthorized", assumedMessages.unauthorized);
    if (!("endpoint" in found)) return answerMismatch(found);
    const operate = routes[found.name] as (call: CheckedCall) => OperationResult;
    const body = validate(found.name, text, circumstances.rules.strict);
    const result = operate({
      ...circumstances,
      account,
      id: found.id,
      body,
      url,
    });
    return {
      ...writeSuccess(found.endpoint.status, result.data, result.retryAfterMs),
      jobId: result.jobId,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [status, headers] = answers[error.kind];
    return { ...writeFailure(status, error.message, headers), hint: error.hint };
  }
};
