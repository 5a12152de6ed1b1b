import type { Endpoint, Method } from "../../contract/endpoint.ts";
import type { DecodeIssue, DecodeReason, ErrorCode, ErrorFields, Outcome } from "./error-fields.ts";
import { type AnyAdGenError, errorClasses } from "./errors.ts";
import { oneLine } from "./text.ts";

export const makeError = (code: ErrorCode, message: string, fields?: ErrorFields): AnyAdGenError =>
  new errorClasses[code](code, message, fields);

/** Facts about a call that every error of it carries. */
export interface CallFacts {
  readonly method: Method;
  /** The path with ids filled in, without base URL and query. */
  readonly path: string;
  /** Job that the call asks for. */
  readonly jobId: string | undefined;
  /** The outcome while no request has left. A read has no outcome. */
  readonly outcome: Outcome | undefined;
  readonly endpoint: Endpoint;
  /** Id by which the caller may repeat the call. */
  readonly once?: string | undefined;
}

const doubtOf = ({ endpoint, once }: CallFacts, jobId: string | undefined): string => {
  if (!endpoint.paid) return "; it may have been carried out";
  const what = "; the job may exist and be charged";
  if (once !== undefined) {
    return `${what}: call again with the same id, which sends nothing while that is in doubt`;
  }
  return jobId === undefined
    ? `${what}: look with findLostJobs(client, error) before you submit again`
    : `${what}: wait for it with pollJob(client, error.jobId)`;
};

/** A failed step of a call. `callError` makes an error of it. */
export interface Failure extends ErrorFields {
  readonly code: ErrorCode;
  /** The end of the message, after method and path. */
  readonly what: string;
}

/** Creates the error of a call. If the call may have been carried out, the message says so. */
export const callError = (
  call: CallFacts,
  { code, what, ...own }: Failure,
  fields: ErrorFields,
): AnyAdGenError => {
  const { method, path, jobId } = call;
  const doubt = fields.outcome === "unknown" ? doubtOf(call, fields.jobId) : "";
  const message = `${method} ${oneLine(path, 300)} ${what}${doubt}`;
  return makeError(code, message, { method, path, jobId, ...fields, ...own });
};

/** Describes a response that can't be used. */
export const decodeFailure = (
  reason: DecodeReason,
  what: string,
  more: ErrorFields = {},
): Failure => ({
  code: "decode",
  what: `answered ${what}`,
  reason,
  issues: [],
  ...more,
});

/** Describes data that isn't as expected. The message names the first issues. */
export const misfitFailure = (
  reason: DecodeReason,
  what: string,
  issues: readonly DecodeIssue[],
): Failure => {
  const first = issues.slice(0, 3);
  const texts = first.map(({ path, message }) => `${path.join(".") || "data"}: ${message}`);
  return decodeFailure(reason, `data that ${what}: ${oneLine(texts.join("; "))}`, { issues });
};
