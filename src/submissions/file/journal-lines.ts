import { readFile } from "node:fs/promises";
import type { Action } from "../../contract/actions.ts";
import type { NextRecord } from "../record-store.ts";
import { createToken, formatRecord, keyOf, type SubmissionRecord } from "../records.ts";
import { formatLine, lastLineIn, linesIn, readChecked } from "./lines.ts";

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

/**
 * Adds the events of a submission up; `undefined` where none of them is of use any more.
 *
 * @param answered - Jobs that answers have named
 */
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
  const accepted = events.filter(({ event }) => event === "accepted");
  // An answer is a fact, and an adoption a guess: the last that no answer contradicts.
  const guesses = accepted.filter(({ jobId }) => !answered.has(jobId));
  const [guess] = guesses.sort((one, other) => (one.at < other.at ? 1 : -1));
  const job = accepted.find(({ isAdopted }) => !isAdopted) ?? guess;
  const isSaved = events.some(({ event, jobId }) => {
    if (event !== "acknowledged") return false;
    return job ? [undefined, job.jobId].includes(jobId) : accepted.length === 0;
  });
  const isAcknowledged = isSaved || find("dismissed") !== undefined;
  if (job !== undefined) {
    const { jobId, isAdopted = false } = job;
    return { attempt, state: "settled", jobId, isAdopted, isAcknowledged };
  }
  if (isAcknowledged || (failed && failed.outcome !== "unknown")) return undefined;
  const why = failed?.code ?? "process_ended";
  return { attempt, state: "in-doubt", why, ...(failed?.jobId && { jobId: failed.jobId }) };
};

/**
 * Reads a journal of 0.8 or earlier as the lines of a store; `undefined` where the file is none.
 * Each job is marked: it is no candidate for another submission.
 */
export const readJournal = async (path: string): Promise<readonly string[] | undefined> => {
  const bytes = await readFile(path);
  if (bytes.toString("utf8", 0, journalHeader.length) !== journalHeader) return undefined;
  const submissions = new Map<string, JournalEvent[]>();
  const lines: string[] = [];
  for (const line of [...linesIn(bytes), lastLineIn(bytes)]) {
    const event = line && parseEvent(line);
    if (event) submissions.set(event.id, [...(submissions.get(event.id) ?? []), event]);
    else if (line !== undefined) lines.push(line);
  }
  const events = [...submissions.values()].flat();
  const answers = events.filter(({ event, isAdopted }) => event === "accepted" && !isAdopted);
  const answered = new Set(answers.map(({ jobId }) => jobId));
  const write = (id: string, record: NextRecord): void => {
    lines.push(formatLine({ id, ...record, until: record.ttlMs, at: 0 }));
  };
  for (const [id, ofId] of submissions) {
    const record = recordOf(ofId, answered);
    if (record === undefined) continue;
    const next = formatRecord(record);
    write(keyOf(id), next);
    if (record.state !== "settled") continue;
    const { list: _, ...mark } = next;
    write(`job:${record.jobId}`, {
      ...mark,
      text: JSON.stringify({ id, token: record.attempt.token }),
    });
  }
  return lines;
};
