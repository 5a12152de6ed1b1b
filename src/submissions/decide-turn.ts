import type { AnyAdGenError } from "../errors/errors.ts";
import { droppedError, otherRequestError, type PreparedCall, quote } from "./call-errors.ts";
import { type DoubtRecord, factsOf, isUndecided, type StoredSubmission } from "./records.ts";
import { storeError } from "./records-in-store.ts";
import { differentAccountError } from "./submission-facts.ts";

/** The answer to a paid call. */
export interface PaidAnswer {
  readonly answer?: unknown;
  readonly jobId?: string | undefined;
  /** An earlier call, or another process, has sent it. */
  readonly isRepeated: boolean;
}

/** What this call knows when it looks at the record of its id. */
export interface OwnTurn {
  readonly call: Pick<PreparedCall, "id" | "attempt" | "digest">;
  /** Revision of its own reservation. */
  readonly rev: string;
  /** Revision that the reservation was to replace; `""` for a free id. */
  readonly expected: string;
  /** There is time to send. After a suspension, others may hold the reservation for lost. */
  readonly canSend: boolean;
  /** Whether an attempt of this process never sent its POST, though its record may stand. */
  readonly isUnsent: (token: string) => boolean;
}

/**
 * What a call does next about its id:
 *
 * - `send`: the id is reserved for this call.
 * - `giveUp`: it is, but too late to send. Take the reservation back, then reserve again.
 * - `reserve`: the record that was to be replaced is gone.
 * - `takeOver`: the record is of an attempt that never left. Reserve over its revision.
 * - `wait`: another call of the same request is under way.
 * - `answer`, `doubt`, `refuse`: the call ends with what the record says.
 */
export type TurnStep =
  | { readonly next: "send" | "giveUp" | "wait"; readonly there: StoredSubmission }
  | { readonly next: "reserve" }
  | { readonly next: "takeOver"; readonly rev: string }
  | { readonly next: "answer"; readonly answer: PaidAnswer }
  | { readonly next: "doubt"; readonly record: DoubtRecord }
  | { readonly next: "refuse"; readonly error: AnyAdGenError };

const refuse = (error: AnyAdGenError): TurnStep => ({ next: "refuse", error });

/** Decides what a call does next, from the record that stands at its id. */
export const decideTurn = (there: StoredSubmission | undefined, own: OwnTurn): TurnStep => {
  const { call, rev, expected, canSend, isUnsent } = own;
  if (there === undefined) {
    if (expected !== "") return { next: "reserve" };
    return refuse(storeError("it kept nothing of what was written"));
  }
  if (there.rev === rev) return { next: canSend ? "send" : "giveUp", there };
  const { record } = there;
  if (record === undefined) return refuse(storeError(`the record of ${quote(call.id)} is damaged`));
  const { token, facts } = record.attempt;
  if (isUndecided(record) && isUnsent(token)) return { next: "takeOver", rev: there.rev };
  const different = differentAccountError(factsOf(call.id, record), call.attempt.facts);
  if (different !== undefined) return refuse(different);
  if (facts.digest !== call.digest) return refuse(otherRequestError(call));
  if (record.state === "dropped") return refuse(droppedError(call));
  if (record.state === "in-doubt") return { next: "doubt", record };
  if (record.state === "sending") return { next: "wait", there };
  const { answer, jobId } = record;
  return { next: "answer", answer: { answer, jobId, isRepeated: true } };
};
