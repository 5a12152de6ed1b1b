import { failure, queued, success } from "../helpers/answers.ts";
import { type Answer, type HttpServer, listen, type Received } from "../helpers/http-server.ts";

/** A job that was charged. */
interface Charged {
  readonly job_id: string;
  readonly prompt: string;
  readonly status: "queued";
}

/** Numbers of jobs that there were before a recovery began. */
export interface Before {
  readonly charged: number;
  readonly got: number;
}

/** Report of a process that has recovered. */
export interface Recovered {
  readonly waiting: readonly string[];
  readonly unknown: readonly { readonly prompt: unknown; readonly candidates: readonly string[] }[];
  readonly underWay: readonly unknown[];
  readonly damaged: readonly unknown[];
}

/** One account of the service: its ledger outlives the processes that submit. */
interface Account {
  readonly charged: Charged[];
  /** Ids of jobs that a process has got, and has on record. */
  readonly got: string[];
  /** Jobs whose results a process has saved. */
  readonly saved: Set<string>;
  readonly problems: string[];
}

const isNamed = (job: Charged, { waiting, unknown, underWay }: Recovered): boolean =>
  waiting.includes(job.job_id) ||
  underWay.includes(job.prompt) ||
  unknown.some(
    ({ prompt, candidates }) => prompt === job.prompt && candidates.includes(job.job_id),
  );

export interface ChargingAccounts extends HttpServer {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly accountOf: (name: string) => Account;
  /**
   * Checks that a recovery names all jobs of an account that were charged before it, and not saved;
   * and knows for sure of those that a process has got.
   */
  readonly check: (name: string, before: Before, recovered: Recovered) => void;
  /** Sums of what happened. */
  readonly counts: { requests: number; repeats: number; recoveries: number; unknown: number };
}

/** A service that charges, loses answers at random, and checks what processes tell. */
export const listenToAccounts = async (): Promise<ChargingAccounts> => {
  const accounts = new Map<string, Account>();
  const counts = { requests: 0, repeats: 0, recoveries: 0, unknown: 0 };
  const accountOf = (name: string): Account => {
    const known = accounts.get(name);
    if (known !== undefined) return known;
    const account = { charged: [], got: [], saved: new Set<string>(), problems: [] };
    accounts.set(name, account);
    return account;
  };

  const check: ChargingAccounts["check"] = (name, before, recovered) => {
    const { charged, got, saved, problems } = accountOf(name);
    counts.recoveries++;
    counts.unknown += recovered.unknown.length;
    for (const line of recovered.damaged) problems.push(`damaged: ${JSON.stringify(line)}`);
    for (const job of charged.slice(0, before.charged)) {
      if (saved.has(job.job_id)) continue;
      if (!isNamed(job, recovered)) problems.push(`lost: ${job.job_id} of ${job.prompt}`);
    }
    for (const jobId of got.slice(0, before.got)) {
      const isKnown = saved.has(jobId) || recovered.waiting.includes(jobId);
      if (!isKnown) problems.push(`forgotten: ${jobId}`);
    }
  };

  /** An answer of the submissions: one job for one prompt. */
  const compare = ({ charged, got, problems }: Account, prompt: string, jobId: string): void => {
    counts.repeats++;
    got.push(jobId);
    const job = charged.find((one) => one.prompt === prompt);
    if (job?.job_id !== jobId) problems.push(`${prompt} got ${jobId}, and made ${job?.job_id}`);
  };

  const submit = (account: Account, { body }: Received): Answer | undefined => {
    counts.requests++;
    const chance = Math.random();
    if (chance < 0.05) return failure(402);
    if (chance < 0.1) return failure(429, "slow down", { "retry-after": "0" });
    const job_id = `job-${counts.requests}`;
    const { prompt } = JSON.parse(body);
    if (account.charged.some((job) => job.prompt === prompt)) {
      account.problems.push(`charged twice: ${prompt}`);
    }
    account.charged.push({ job_id, prompt, status: "queued" });
    if (chance < 0.15) return failure(500);
    return chance < 0.2 ? undefined : queued(job_id);
  };

  const answer: Answer = (response, request) => {
    const { url, method, headers, body } = request;
    const account = accountOf(String(headers.authorization).replace("Bearer ", ""));
    const [, place = "", what = ""] = url.split("/");
    if (place === "told") {
      const told = JSON.parse(body);
      if (what === "saved") account.saved.add(told.jobId);
      if (what === "got") compare(account, told.prompt, told.jobId);
      if (what === "recovered") check(told.name, told.before, told);
      const before: Before = { charged: account.charged.length, got: account.got.length };
      return success(before)(response, request);
    }
    if (method === "POST") {
      const reply = submit(account, request);
      const send = () => (reply === undefined ? response.destroy() : reply(response, request));
      setTimeout(send, 10 * Math.random());
      return;
    }
    success({ jobs: account.charged.toReversed() })(response, request);
  };
  const server = await listen(answer);
  return { ...server, accounts, accountOf, check, counts };
};
