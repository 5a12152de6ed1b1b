/**
 * The errors of a call with an id, and of a decision. The words that tell a caller what to do stand
 * here. This file may import the client's errors and the records of `store/`.
 */
import type { AnyAdGenError } from "../client/errors/errors.ts";
import { makeError } from "../client/errors/make-error.ts";
import { oneLine } from "../client/errors/text.ts";
import type { PreparedCall } from "./prepare-call.ts";
import {
  type DoubtRecord,
  describeDoubt,
  describeFirst,
  hasOtherForm,
  jobIdOf,
  type SubmissionRecord,
} from "./store/record.ts";
import { storeError } from "./store/records.ts";

/** This call sent nothing, but an earlier call with its id may have been sent. */
const unknown = { outcome: "unknown" } as const;

const quoteId = (id: string): string => JSON.stringify(oneLine(id, 100));

/** Refuses a record that this version cannot read. Its submission may have been paid for. */
export const unreadableRecordError = ({
  id,
  text,
}: {
  readonly id: string;
  readonly text: string;
}) =>
  storeError(
    hasOtherForm(text)
      ? `the record of ${quoteId(id)} was written by another version of adgen-sdk: settle the ` +
          "open submissions with that version, and then give this version a new store"
      : `the record of ${quoteId(id)} is damaged: compare with jobs.list() before you submit again`,
  );

export const otherRequestError = (
  { id }: PreparedCall,
  record: SubmissionRecord,
): AnyAdGenError => {
  const jobId = jobIdOf(record);
  const message = `the id ${quoteId(id)} belongs to another request${describeFirst(record, jobId)}`;
  return makeError("invalid_request", message, { outcome: "not-sent", jobId });
};

export const droppedError = ({ id }: PreparedCall): AnyAdGenError =>
  makeError(
    "invalid_request",
    `the submission ${quoteId(id)} was dropped by a decision: take a new id to submit again`,
    unknown,
  );

export const underWayError = ({ id }: PreparedCall, leftMs: number): AnyAdGenError =>
  makeError(
    "under_way",
    `the submission ${quoteId(id)} is under way elsewhere, and has no answer yet: ask again later`,
    { ...unknown, retryAfterMs: Math.max(1, Math.ceil(leftMs)) },
  );

/** Refuses a decision after which the same request could be paid for twice. */
export const mayStillArriveError = (id: string, leftMs: number): AnyAdGenError => {
  const retryAfterMs = Math.max(1, Math.ceil(leftMs));
  const message =
    `the service may still carry out the submission ${quoteId(id)}: wait ` +
    `${Math.ceil(retryAfterMs / 1_000)} s, recover again, and decide by the candidates that you get then`;
  return makeError("under_way", message, { retryAfterMs });
};

export const inDoubtError = (
  { id }: PreparedCall,
  record: DoubtRecord,
  now: number,
): AnyAdGenError => {
  const message =
    `the submission ${quoteId(id)} of ${record.attempt.facts.submittedAt} may have been carried out ` +
    `(${record.why}), so nothing was sent: decide with submissions.decide(error.doubt, …)`;
  return makeError("in_doubt", message, { ...unknown, doubt: describeDoubt(id, record, now) });
};

export const abortedError = ({ id, signal }: PreparedCall): AnyAdGenError =>
  makeError("aborted", `the submission ${quoteId(id)} was aborted before anything was sent`, {
    ...unknown,
    cause: signal?.reason,
  });

export const tooSlowError = ({ timeoutMs }: PreparedCall): AnyAdGenError =>
  storeError(`the call took longer than its ${timeoutMs} ms, so give it more time`);
