import { failure, queued, success } from "../helpers/answers.ts";
import { type Answer, type HttpServer, listen, type Received } from "../helpers/http-server.ts";

/** A job that was charged. */
interface Charged {
  readonly job_id: string;
  readonly prompt: string;
  readonly status: "queued";
}

/** Report of a process that has recovered. */
interface Recovered {
  readonly waiting: readonly string[];
  readonly finished: readonly string[];
  readonly unknown: readonly { readonly prompt: string; readonly candidates: readonly string[] }[];
  readonly damaged: readonly string[];
}

/** One account of the service: its ledger outlives the processes that submit. */
interface Account {
  readonly charged: Charged[];
  /** Jobs whose results a process has saved. */
  readonly saved: Set<string>;
  /** Called when a submission has arrived. */
  onSubmit: () => void;
  /** Problems that a recovery has shown. */
  readonly problems: string[];
}

const isNamed = (job: Charged, { waiting, finished, unknown }: Recovered): boolean =>
  waiting.includes(job.job_id) ||
  finished.includes(job.job_id) ||
  unknown.some(
    ({ prompt, candidates }) => prompt === job.prompt && candidates.includes(job.job_id),
  );

/** Number of jobs in a list: more than processes submit before one of them looks. */
const listed = 1_000;

export interface ChargingAccounts extends HttpServer {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly accountOf: (name: string) => Account;
  /** Sums of what happened. */
  readonly counts: { requests: number; recoveries: number; unknown: number; withCandidate: number };
}

/** A service that charges, loses answers at random, and checks what each recovery tells. */
export const listenToAccounts = async (): Promise<ChargingAccounts> => {
  const accounts = new Map<string, Account>();
  const counts = { requests: 0, recoveries: 0, unknown: 0, withCandidate: 0 };
  const accountOf = (name: string): Account => {
    const known = accounts.get(name);
    if (known !== undefined) return known;
    const account = { charged: [], saved: new Set<string>(), problems: [], onSubmit: () => {} };
    accounts.set(name, account);
    return account;
  };

  const check = (account: Account, recovered: Recovered): void => {
    const { charged, saved, problems } = account;
    counts.recoveries++;
    counts.unknown += recovered.unknown.length;
    if (recovered.damaged.length > 0) problems.push(`damaged: ${recovered.damaged}`);
    for (const job of charged) {
      if (saved.has(job.job_id)) continue;
      if (!isNamed(job, recovered)) problems.push(`lost: ${job.job_id} of ${job.prompt}`);
    }
    counts.withCandidate += recovered.unknown.filter(({ prompt, candidates }) =>
      charged.some((job) => job.prompt === prompt && candidates.includes(job.job_id)),
    ).length;
  };

  const submit = (account: Account, { body }: Received): Answer | undefined => {
    counts.requests++;
    const chance = Math.random();
    if (chance < 0.05) return failure(402);
    if (chance < 0.1) return failure(429, "slow down", { "retry-after": "0" });
    const job_id = `job-${counts.requests}`;
    account.charged.push({ job_id, prompt: JSON.parse(body).prompt, status: "queued" });
    if (chance < 0.15) return failure(500);
    return chance < 0.2 ? undefined : queued(job_id);
  };

  const answer: Answer = (response, request) => {
    const { url, method, headers, body } = request;
    const [, , place = "", name = ""] = url.split("/");
    if (url.startsWith("/told/")) {
      const told = JSON.parse(body);
      if (place === "saved") accountOf(told.lane).saved.add(told.jobId);
      else check(accountOf(told.lane), told);
      return success({})(response, request);
    }
    const account = accountOf(String(headers.authorization).replace("Bearer ", ""));
    if (method === "POST") {
      account.onSubmit();
      const reply = submit(account, request);
      const send = () => (reply === undefined ? response.destroy() : reply(response, request));
      setTimeout(send, 10 * Math.random());
      return;
    }
    const newest = account.charged.slice(-listed).reverse();
    const data = name === "" ? { jobs: newest } : { job_id: name, status: "completed", result: {} };
    success(data)(response, request);
  };
  const server = await listen(answer);
  return { ...server, accounts, accountOf, counts };
};
