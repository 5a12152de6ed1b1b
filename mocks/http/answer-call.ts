import { isAction, unsupportedActionMessage } from "../../src/contract/actions.ts";
import { requestBodies } from "../../src/contract/bodies.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { isDeeperThan, maxDepth } from "../domain/json-values.ts";
import { assumedMessages, Refusal } from "../domain/messages.ts";
import type { AccountState, Context } from "../domain/state.ts";
import { describeUnknown, unknownParametersOf } from "../journal/unknown-parameters.ts";
import type { Match } from "./match-endpoint.ts";
import { isTooLarge, type Message, writeFailure, writeSuccess, writeTooLarge } from "./message.ts";
import { type CheckedCall, type OperationResult, routes } from "./routes.ts";

/** An answer of the service, before a fault changes it. */
export interface Answer extends Message {
  /** Id of the job that the request has created. */
  readonly jobId?: string | undefined;
  /** Explains a refusal, for the log. */
  readonly hint?: string | undefined;
}

/** The status of each refusal, and the headers that HTTP requires with it. @assumed A20 */
const answers = {
  invalid: [400],
  unauthorized: [401, { "www-authenticate": "Bearer" }],
  payment_required: [402],
  not_found: [404],
} as const satisfies Record<Refusal["kind"], readonly [number, Message["headers"]?]>;

/** Answers a request for an unknown path, or with a method that the path doesn't have. @assumed A21 */
const answerMismatch = (methods: readonly string[]): Answer => {
  if (methods.length === 0) throw new Refusal("not_found", assumedMessages.endpointNotFound);
  return writeFailure(405, assumedMessages.methodNotAllowed, { allow: methods.join(", ") });
};

/**
 * Parses a body, whatever its content type, because the API's document names none.
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
  // Each level takes two brackets, so a short text can't be too deep.
  const isDeep = text.length > 2 * maxDepth && isDeeperThan(maxDepth, body);
  if (isDeep) throw new Refusal("invalid", assumedMessages.bodyTooDeep);
  return body as Record<string, unknown>;
};

/** The fields of each call's body, with their schemas. */
const fieldsOf = new Map(
  Object.entries(requestBodies).map(([name, fields]) => [name, Object.entries(fields)]),
);

/** Checks a body by the contract, and returns it unchanged. @assumed A14 */
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
    // zod's own message depends on the locale that the application has set.
    const reason = issue.code === "invalid_type" ? `expected ${issue.expected}` : issue.message;
    throw new Refusal("invalid", assumedMessages.invalidParameter(path, reason));
  }
  const [unknown] = isStrict ? unknownParametersOf(name, body) : [];
  if (unknown === undefined) return body;
  throw new Refusal("invalid", assumedMessages.invalidParameter(unknown, describeUnknown(unknown)));
};

/**
 * Answers a request. It checks the key first, then the endpoint, then the body; this order is assumed.
 *
 * @assumed A14
 * @param account - The account of the request's key; `undefined` if no account has this key
 * @param found - The endpoint; or, if the method is wrong, the methods that the path has
 */
export const answerCall = (
  account: AccountState | undefined,
  found: Match | readonly string[],
  url: URL,
  text: string,
  context: Omit<Context, "account">,
): Answer => {
  if (isTooLarge(text)) return writeTooLarge();
  try {
    if (account === undefined) throw new Refusal("unauthorized", assumedMessages.unauthorized);
    if (!("endpoint" in found)) return answerMismatch(found);
    const operate = routes[found.name] as (call: CheckedCall) => OperationResult;
    const body = validate(found.name, text, context.rules.strict);
    const result = operate({ ...context, account, id: found.id, body, url });
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
