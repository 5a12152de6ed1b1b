import type { JobStatus } from "../../../src/contract/jobs.ts";
import type { JobView } from "../../domain/job-view.ts";
import type { MockAccount } from "../../service/account.ts";
import type { MockService } from "../../service/mock-service.ts";

/** A job with the API key of its account. */
export interface OwnedJob extends JobView {
  readonly account: string;
}

/** Choice of the jobs to list. A field left out chooses all. */
interface JobChoice {
  readonly account?: string;
  readonly status?: JobStatus;
  readonly limit: number;
}

/** Reads an account's jobs one by one, newest first. Each view draws pictures, so few are made. */
function* readNewest({ key, jobs }: MockAccount, share: number): Generator<OwnedJob, undefined> {
  let given = 0;
  for (let asked = share; ; asked *= 2) {
    const views = jobs.latest(asked);
    for (const job of views.slice(given)) yield { ...job, account: key };
    if (views.length < asked) return;
    given = asked;
  }
}

/** Finds the place of the newest job. ISO times compare as text. */
const placeOfNewest = (jobs: readonly (OwnedJob | undefined)[]): number =>
  jobs.reduce(
    (best, job, place) => ((job?.created_at ?? "") > (jobs[best]?.created_at ?? "") ? place : best),
    0,
  );

/** Lists the newest jobs of all accounts, or of one. */
export const listOwnedJobs = (
  service: MockService,
  { account, status, limit }: JobChoice,
): OwnedJob[] => {
  const accounts = account === undefined ? service.accounts : [service.account(account)];
  const share = Math.ceil(Math.max(limit, 1) / Math.max(accounts.length, 1));
  const queues = accounts.map((one) => readNewest(one, share));
  const heads = queues.map((queue) => queue.next().value);
  const newest: OwnedJob[] = [];
  for (;;) {
    const place = placeOfNewest(heads);
    const job = heads[place];
    if (job === undefined || newest.length === limit) return newest;
    if (status === undefined || job.status === status) newest.push(job);
    // The last job needs no successor, which could make an account draw as many again.
    if (newest.length < limit) heads[place] = queues[place]?.next().value;
  }
};
