import { open } from "node:fs/promises";
import type { Action } from "../../contract/actions.ts";
import type { NextRecord } from "../record-store.ts";
import { createToken, formatRecord, keyOf, type SubmissionRecord } from "../records.ts";
import { formatLine, readChecked } from "./lines.ts";
import { readLines } from "./log-file.ts";

/** First line of the journals that 0.8 and earlier wrote. */
const journalHeader = "adgen-sdk journal 1\n";

/** One line of a journal: an event in the life of a submission. */
interface JournalEvent {
  readonly id: string;
  readonly at: string;
  readonly event: "intent" | "accepted" | "failed" | "finished" | "dismissed" | "acknowledged";
  readonly action?: Action;
  readonly request?: Readonly<Record<string, unknown>>;
  readonly origin?: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly jobId?: string;
  readonly isAdopted?: true;
}

const parseEvent = (line: string): JournalEvent | undefined => {
  try {
    const { v, ...event } = JSON.parse(readChecked(line) ?? "");
    return v === 1 && [event.id, event.at, event.event].every(Boolean) ? event : undefined;
  } catch {
    return undefined;
  }
};

/** Finds the job of a submission: that of its answer, else the last adoption that holds. */
const findJob = (
  events: readonly JournalEvent[],
  answered: ReadonlySet<string | undefined>,
): Pick<JournalEvent, "jobId" | "isAdopted"> | undefined => {
  const accepted = events.filter(({ event }) => event === "accepted");
  const answer = accepted.find(({ isAdopted }) => !isAdopted);
  // An answer is a fact, and an adoption a guess.
  const guesses = accepted.filter(({ jobId }) => !answered.has(jobId));
  const last = guesses.sort((one, other) => (one.at < other.at ? -1 : 1)).at(-1);
  return answer ?? last;
};

/** Adds the events of a submission up; `undefined` where none of them is of use any more. */
const recordOf = (
  events: readonly JournalEvent[],
  answered: ReadonlySet<string | undefined>,
): SubmissionRecord | undefined => {
  const find = (name: JournalEvent["event"]) => events.find(({ event }) => event === name);
  const [intent, failed] = [find("intent"), find("failed")];
  const { action, request = {}, origin } = intent ?? {};
  const facts = {
    method: "jobs.submit",
    submittedAt: (intent ?? events[0])?.at ?? "",
    request,
    ...(typeof action === "string" && { action }),
    ...(origin !== undefined && { origin }),
  };
  const attempt = { token: createToken(), facts, isGenerated: true };
  const { jobId, isAdopted = false } = findJob(events, answered) ?? {};
  const isAdoption = events.some((event) => event.isAdopted);
  const isClosed = events.some(({ event, jobId: of }) => {
    if (event === "dismissed") return true;
    if (event !== "acknowledged" || (jobId === undefined && isAdoption)) return false;
    return of === undefined || jobId === undefined || of === jobId;
  });
  if (jobId !== undefined) {
    return { attempt, state: "settled", jobId, isAdopted, isAcknowledged: isClosed };
  }
  if (isClosed || (failed && failed.outcome !== "unknown")) return undefined;
  const why = failed?.code ?? "process_ended";
  return { attempt, state: "in-doubt", why, ...(failed?.jobId && { jobId: failed.jobId }) };
};

/**
 * Reads a journal of 0.8 or earlier as the lines of a store; `undefined` where the file is none.
 * Each job gets its claim: it is no candidate for another submission.
 */
export const readJournal = async (path: string): Promise<readonly string[] | undefined> => {
  const handle = await open(path, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(journalHeader.length), 0, undefined, 0);
    if (buffer.toString() !== journalHeader) return undefined;
    const submissions = new Map<string, JournalEvent[]>();
    const lines: string[] = [];
    const read = (line: string): void => {
      const event = parseEvent(line);
      if (event === undefined) lines.push(line);
      else submissions.set(event.id, [...(submissions.get(event.id) ?? []), event]);
    };
    const { tail } = await readLines(path, handle, journalHeader, read);
    if (readChecked(tail) !== undefined) read(tail);
    const all = [...submissions.values()].flat();
    const answers = all.filter(({ event, isAdopted }) => event === "accepted" && !isAdopted);
    const answered = new Set(answers.map(({ jobId }) => jobId));
    const write = (id: string, record: NextRecord): void => {
      lines.push(formatLine({ id, ...record, until: record.ttlMs, at: 0 }));
    };
    for (const [id, events] of submissions) {
      const record = recordOf(events, answered);
      if (record === undefined) continue;
      const next = formatRecord(record);
      write(keyOf(id), next);
      if (record.state !== "settled" || record.jobId === undefined) continue;
      const { rev, ttlMs } = next;
      const text = JSON.stringify({ id });
      write(`job:${record.jobId}`, { rev, text, ...(ttlMs && { ttlMs }) });
    }
    return lines;
  } finally {
    await handle.close();
  }
};
