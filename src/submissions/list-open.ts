import type { Doubt, SubmissionFacts } from "../errors/doubt.ts";
import type { Doubts } from "./doubts.ts";
import { factsOf, isWaiting, jobIdOf } from "./records.ts";
import type { Records } from "./records-in-store.ts";

/** A submission whose job is to be waited for. Hand it to `pollJob` or `pollJobs` as it is. */
export interface WaitingSubmission extends SubmissionFacts {
  /** Identifier of the job. */
  readonly job_id: string;
}

/** A submission whose POST may be under way, in this process or in another one. */
export interface SubmissionUnderWay extends SubmissionFacts {
  /** Longest time in milliseconds until this process can tell that it is lost. */
  readonly leftMs: number;
}

/** A record that cannot be read. It may be of a paid call: compare with `jobs.list()`. */
export interface DamagedRecord {
  /** Id of its submission, or what is left of it. */
  readonly id: string;
  /** Text of the record as it stands in the store. */
  readonly text: string;
}

/** The submissions that are not over. */
export interface OpenSubmissions {
  /** Submissions whose jobs were not acknowledged, oldest first. */
  readonly waiting: readonly WaitingSubmission[];
  /** Submissions whose outcome is unknown, oldest first. Each stays until you decide. */
  readonly unknown: readonly Doubt[];
  /** Submissions that have no answer yet, oldest first. A lost one becomes unknown in time. */
  readonly underWay: readonly SubmissionUnderWay[];
  /** Records that cannot be read. */
  readonly damaged: readonly DamagedRecord[];
}

const placeOf = ({ id, submittedAt }: SubmissionFacts): string => submittedAt + id;

const oldestFirst = (one: SubmissionFacts, other: SubmissionFacts): number =>
  placeOf(one) < placeOf(other) ? -1 : 1;

/** Lists the submissions that are not over, and marks those that are lost. */
export const createListOpen =
  (records: Records, doubts: Doubts) =>
  async (settleMs?: number): Promise<OpenSubmissions> => {
    const waiting: WaitingSubmission[] = [];
    const unknown: Doubt[] = [];
    const underWay: SubmissionUnderWay[] = [];
    const damaged: DamagedRecord[] = [];
    const listed = await records.listOpen();
    const refreshed = listed.map((there) => doubts.refresh(there, listed.length));
    const standings = await Promise.all(refreshed);
    for (const standing of standings.reverse()) {
      if (standing === undefined) continue;
      const { id, text, record } = standing;
      if (record === undefined) damaged.push({ id, text });
      else if (record.state === "in-doubt") unknown.push(doubts.describe(id, record, settleMs));
      else if (record.state === "sending") {
        underWay.push({ ...factsOf(id, record), leftMs: doubts.leftMs(standing) });
      } else if (isWaiting(record)) {
        waiting.push({ ...factsOf(id, record), job_id: jobIdOf(record) ?? "" });
      }
    }
    for (const list of [waiting, unknown, underWay]) list.sort(oldestFirst);
    return { waiting, unknown, underWay, damaged };
  };
