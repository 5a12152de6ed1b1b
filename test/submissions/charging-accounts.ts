import { failure, queued, success } from "../helpers/answers.ts";
import { type Answer, listen, type Received } from "../helpers/http-server.ts";

/** A job that was charged. */
interface Charged {
  readonly job_id: string;
  readonly prompt: string;
  readonly status: "queued";
}

/** Report of a process that has recovered. */
export interface Recovered {
  readonly waiting: readonly string[];
  readonly unknown: readonly { readonly prompt: unknown; readonly candidates: readonly string[] }[];
  readonly underWay: readonly unknown[];
  readonly damaged: readonly unknown[];
}

/** One account of the service: its ledger outlives the processes that submit. */
const createAccount = () => ({
  charged: [] as Charged[],
  /** Jobs that processes have got as answers. */
  got: [] as string[],
  /** Jobs whose results a process has saved. */
  saved: new Set<string>(),
  problems: [] as string[],
});

type Account = ReturnType<typeof createAccount>;

const isNamed = (job: Charged, { waiting, unknown, underWay }: Recovered): boolean =>
  waiting.includes(job.job_id) ||
  underWay.includes(job.prompt) ||
  unknown.some(
    ({ prompt, candidates }) => prompt === job.prompt && candidates.includes(job.job_id),
  );

/** A service that charges, loses answers at random, and checks what processes tell. */
export const listenToAccounts = async () => {
  const accounts = new Map<string, Account>();
  const counts = { requests: 0, repeats: 0, recoveries: 0, unknown: 0 };
  const accountOf = (name: string): Account => {
    const account = accounts.get(name) ?? createAccount();
    accounts.set(name, account);
    return account;
  };

  /**
   * Checks that a recovery names all jobs that were charged before it, and not saved; and knows for
   * sure of those that a process had got by then.
   */
  const check = (name: string, before: { charged: number; got: number }, told: Recovered): void => {
    const { charged, got, saved, problems } = accountOf(name);
    counts.recoveries++;
    counts.unknown += told.unknown.length;
    for (const line of told.damaged) problems.push(`damaged: ${JSON.stringify(line)}`);
    for (const job of charged.slice(0, before.charged)) {
      const isTold = saved.has(job.job_id) || isNamed(job, told);
      if (!isTold) problems.push(`lost: ${job.job_id} of ${job.prompt}`);
    }
    for (const jobId of got.slice(0, before.got)) {
      const isKnown = saved.has(jobId) || told.waiting.includes(jobId);
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

  const submit = ({ charged, problems }: Account, { body }: Received): Answer | undefined => {
    counts.requests++;
    const chance = Math.random();
    if (chance < 0.05) return failure(402);
    if (chance < 0.1) return failure(429, "slow down", { "retry-after": "0" });
    const job_id = `job-${counts.requests}`;
    const { prompt } = JSON.parse(body);
    if (charged.some((job) => job.prompt === prompt)) problems.push(`charged twice: ${prompt}`);
    charged.push({ job_id, prompt, status: "queued" });
    if (chance < 0.15) return failure(500);
    return chance < 0.2 ? undefined : queued(job_id);
  };

  const answer: Answer = (response, request) => {
    const { url, method, headers, body } = request;
    const account = accountOf(String(headers.authorization).replace("Bearer ", ""));
    const { charged, got, saved } = account;
    const [, place = "", what = ""] = url.split("/");
    if (place === "told") {
      const told = JSON.parse(body);
      if (what === "saved") saved.add(told.jobId);
      if (what === "got") compare(account, told.prompt, told.jobId);
      if (what === "recovered") check(told.name, told.before, told);
      return success({ charged: charged.length, got: got.length })(response, request);
    }
    if (method === "GET") return success({ jobs: charged.toReversed() })(response, request);
    const reply = submit(account, request);
    const send = () => (reply === undefined ? response.destroy() : reply(response, request));
    setTimeout(send, 10 * Math.random());
  };
  return { ...(await listen(answer)), accounts, accountOf, check, counts };
};
