import type { AdGenClient } from "adgen-sdk";
import { createSubmissions } from "adgen-sdk/submissions";
import type { Doubt } from "../../client/errors/doubt.ts";
import { describeValue } from "../../client/errors/text.ts";
import { refuseArgument } from "../../client/options/rules.ts";
import type { RecentJobs, Submissions } from "../../client/options/submissions.ts";
import { callsOfPages, splitCallId } from "../store/calls-of-pages.ts";
import { ownClock } from "../store/clock.ts";
import { ownerIn, ownerKeyOf } from "../store/record.ts";
import type { RecordStore } from "../store/record-store.ts";
import { createRecords } from "../store/records.ts";

/** A submission in doubt, with the object that can decide about it. */
export interface OpenDoubt {
  /** Id by which a user of the command names the submission. */
  readonly name: string;
  /** User of the page from which the submission came. Default: it came from no page. */
  readonly owner?: string | undefined;
  readonly doubt: Doubt;
  readonly submissions: Submissions;
}

/** The open submissions of a store. */
export interface OpenDoubts {
  readonly doubts: readonly OpenDoubt[];
  readonly underWay: number;
  readonly unreadable: readonly string[];
}

/** Lists the open submissions of a store, from clients and from pages that use a proxy. */
export const listOpenDoubts = async (
  store: RecordStore,
  client: AdGenClient | undefined,
): Promise<OpenDoubts> => {
  /** Lists recent jobs without the jobs that submissions of the other part of the store own. */
  const jobsWithout = (other: RecordStore): RecentJobs | undefined =>
    client && {
      async list(query, options) {
        const page = await client.jobs.list(query, options);
        const { findOwner } = createRecords(other, ownClock);
        const owners = await Promise.all(page.items.map(({ job_id }) => findOwner(job_id)));
        return { ...page, items: page.items.filter((_, item) => owners[item] === undefined) };
      },
    };
  const listPart = async (part: RecordStore, other: RecordStore, isOfPages: boolean) => {
    const submissions = createSubmissions(part);
    return { submissions, isOfPages, ...(await submissions.listOpen(jobsWithout(other))) };
  };
  const pages = callsOfPages(store);
  const listed = await Promise.all([listPart(store, pages, false), listPart(pages, store, true)]);
  const nameOf = (id: string, isOfPages: boolean) => (isOfPages ? `calls/${id}` : id);
  return {
    doubts: listed.flatMap(({ unknown, submissions, isOfPages }) =>
      unknown.map((doubt) => ({
        name: nameOf(doubt.id, isOfPages),
        owner: isOfPages ? splitCallId(doubt.id).owner : undefined,
        doubt,
        submissions,
      })),
    ),
    underWay: listed.reduce((sum, { underWay }) => sum + underWay.length, 0),
    unreadable: listed.flatMap(({ damaged, isOfPages }) =>
      damaged.map(({ id }) => nameOf(id, isOfPages)),
    ),
  };
};

/**
 * Refuses a job that a proxy has recorded for another user than the user who ordered the
 * submission. The proxy would never show the job in that user's page.
 */
export const requireJobFor = async (
  store: RecordStore,
  { name, owner }: OpenDoubt,
  jobId: string,
): Promise<void> => {
  const there = await store.get(ownerKeyOf("job", jobId));
  if (owner === undefined || there === undefined) return;
  const owned = ownerIn(there.text);
  if (owned === owner) return;
  const whose = owned === undefined ? "somebody else" : `the user ${describeValue(owned)}`;
  refuseArgument(
    `the job ${describeValue(jobId)} belongs to ${whose}, and ${describeValue(name)} was ordered by ` +
      `${describeValue(owner)}: adopt a candidate of the list`,
  );
};
