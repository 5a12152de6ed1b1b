import type { Doubt, SubmissionFacts } from "../errors/doubt.ts";
import type { Doubts } from "./doubts.ts";
import { factsOf, isWaiting, jobIdOf } from "./records.ts";
import type { Records } from "./records-in-store.ts";
import type { RecoveredSubmissions } from "./recover.ts";

/** The submissions that are not over. */
export type OpenSubmissions = Omit<RecoveredSubmissions, "candidatesError">;

type Listed<List extends keyof OpenSubmissions> = RecoveredSubmissions[List][number][];

const placeOf = ({ id, submittedAt }: SubmissionFacts): string => submittedAt + id;

const oldestFirst = (one: SubmissionFacts, other: SubmissionFacts): number =>
  placeOf(one) < placeOf(other) ? -1 : 1;

/** Lists the submissions that are not over, and marks those that are lost. */
export const createListOpen =
  (records: Records, doubts: Doubts) =>
  async (settleMs?: number): Promise<OpenSubmissions> => {
    const waiting: Listed<"waiting"> = [];
    const unknown: Doubt[] = [];
    const underWay: Listed<"underWay"> = [];
    const damaged: Listed<"damaged"> = [];
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
