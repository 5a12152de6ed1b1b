import {
  failureEnvelopeSchema,
  type SuccessEnvelope,
  successEnvelopeSchema,
} from "../contract/envelope.ts";
import { readPage } from "../contract/page.ts";
import { findIssues } from "../contract/schema.ts";
import type { DecodeIssue, ErrorFields } from "../errors/error-fields.ts";
import { decodeError, describeIssues } from "../errors/make-error.ts";
import { describeKind } from "../errors/text.ts";
import type { Call, Ending } from "../transport/call.ts";

/** Tells whether a body is the envelope of a success. */
export const isSuccessEnvelope = (body: unknown): body is SuccessEnvelope =>
  findIssues(successEnvelopeSchema, body).length === 0;

/**
 * Reads the service's words in the envelope of a failure: empty where it holds no text, `undefined`
 * when the body is none.
 */
export const readFailure = (body: unknown): string | undefined => {
  if (findIssues(failureEnvelopeSchema, body).length > 0) return undefined;
  const { error } = body as { error?: unknown };
  return typeof error === "string" ? error : "";
};

const hostOf = ({ url }: Call): string => new URL(url).host;

/** Describes an answer that the service cannot have given. */
export const describeStranger = (call: Call, contentType: string, wanted: string): string =>
  `${contentType && ` with ${contentType}`}, not ${wanted} (check baseUrl: ${hostOf(call)})`;

/** The answer's content type, without parameters; empty when it names none. */
export const contentTypeOf = ({ head, clean }: Ending): string =>
  clean((head?.headers.get("content-type") ?? "").split(";", 1)[0]?.trim() ?? "");

const maxIssues = 10;

/** Refuses a thing in which the contract finds something wrong. */
const requireFit = (
  call: Call,
  fields: ErrorFields,
  thing: unknown,
  prefix: DecodeIssue["path"],
): void => {
  const found = findIssues(call.endpoint.answer, thing, prefix);
  if (found.length === 0) return;
  const issues = found.slice(0, maxIssues).map(({ path, message, input }) => ({
    path,
    message: `${message}, got ${describeKind(input)}`,
  }));
  const what = `data that is not what was asked for: ${describeIssues(issues)}`;
  throw decodeError(call, "data", what, { ...fields, issues });
};

/**
 * Checks the data of a success by the contract, which only looks: what it does not name stays as
 * received. Gives the data, or the page of a list.
 */
export const decodeData = (call: Call, fields: ErrorFields, received: unknown): unknown => {
  const { list } = call.endpoint;
  const data = received ?? call.empty ?? received;
  if (list === undefined) {
    requireFit(call, fields, data, []);
    return data;
  }
  const page = readPage(data, list);
  if (page === undefined) {
    throw decodeError(call, "data", `${fields.status}: its data holds no list "${list}"`, fields);
  }
  for (const [index, item] of page.items.entries()) {
    requireFit(call, fields, item, [list, index]);
  }
  return page;
};
