import type { Job, JobRequest } from "../contract/jobs.ts";
import { checkOptions, refuseArgument, wholeNumber } from "../options/rules.ts";
import { findCandidates, listRecentJobs } from "./candidates.ts";
import { encodeId } from "./job-id.ts";
import { clientRule } from "./job-worker-options.ts";
import type { ReadQueues } from "./read-submission.ts";
import type { Records, SubmissionRecord } from "./records.ts";
import type { HeldSubmission } from "./submission.ts";

const heldRules = () => ({ client: clientRule, candidateLimit: wholeNumber(1, 1_000_000) });

/**
 * Reads a held submission, with those candidates that no submission has claimed meanwhile, or with
 * those among `recent` jobs.
 */
const readHeld = async (
  { submissions }: ReadQueues,
  records: Records,
  id: string,
  recent: readonly Job[] | undefined,
): Promise<HeldSubmission | undefined> => {
  const record: SubmissionRecord | undefined = await records.read(id);
  if (record?.state !== "held") return undefined;
  const { action, intentAt = 0, heldAt = 0, error, openElsewhere } = record;
  const queued = await submissions.getJob(encodeId(id));
  // Somebody may have removed the BullMQ job by hand: then its action alone is known.
  const request = queued?.data.request ?? ({ action } as JobRequest);
  const { isComplete } = record;
  const known = record.candidates && (await records.withoutOwner(record.candidates));
  const found = recent
    ? await findCandidates(recent, record, records)
    : { isComplete, candidates: known };
  return { id, request, sentAt: intentAt, heldAt, error, openElsewhere, ...found };
};

/** Lists the held submissions; with a client, one list of recent jobs serves all of them. */
export const listHeld = async (
  queues: ReadQueues,
  records: Records,
  given: unknown,
  reading: <T>(what: string, run: () => Promise<T>) => Promise<T>,
): Promise<HeldSubmission[]> => {
  const { client, candidateLimit } = checkOptions("listHeld", heldRules(), given, refuseArgument);
  const what = "queue.listHeld";
  const ids = await reading(what, records.heldIds);
  const read = await reading(what, () => Promise.all(ids.map(records.read)));
  const found = read.filter((record) => record !== undefined);
  const isAsked = client !== undefined && found.length > 0;
  const recent = isAsked ? await listRecentJobs(client, candidateLimit, found) : undefined;
  return reading(what, async () => {
    const held = await Promise.all(ids.map((id) => readHeld(queues, records, id, recent)));
    return held.filter((submission) => submission !== undefined);
  });
};
