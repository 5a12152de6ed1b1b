import { type Action, isAction } from "../../../src/contract/actions.ts";
import { accountAt, ask, type Bench, type Expected, same, tenants } from "./bench.ts";
import { requireJob, requireJobs } from "./invariants.ts";
import { isFinished, isGone, payBack, settle, stateOf } from "./passing-time.ts";
import {
  creditOf,
  type ModelAccount,
  type ModelJob,
  post,
  type Rules,
  takePlans,
} from "./world.ts";

/** A thing of somebody's. */
export interface Place {
  /** Whose; of the next tenant that has one, when this one has none. */
  readonly owner: number;
  /** From the newest on, and round again; below zero: one that nobody has, or has any more. */
  readonly place: number;
  /** Who asks for it. @default its owner */
  readonly as: number | undefined;
}

export const resolve = (
  bench: Bench,
  { owner, place, as }: Place,
  kind: "jobs" | "brands" | "ads",
) => {
  const owners = tenants.map((_, further) => (owner + further) % tenants.length);
  const found = owners.find((one) => accountAt(bench, one)[kind].length > 0) ?? owner;
  const things = accountAt(bench, found)[kind];
  const thing = place < 0 ? undefined : things.at(-1 - (place % Math.max(1, things.length)));
  const present = bench.world.accounts.flatMap((account) => account[kind].map(({ id }) => id));
  const former = [...bench.ids.values()].findLast(
    (id) => kind.startsWith(id.split("_")[0] ?? "") && !present.includes(id),
  );
  return { owner: found, tenant: as ?? found, id: thing?.id ?? former ?? `${kind}_nobody` };
};

export const notFound = (error: string): Expected => ({ status: 404, error });

export const invalid = (parameter: string, expected: string): Expected => ({
  status: 400,
  error: `Invalid parameter ${parameter}: expected ${expected}`,
});

export interface Submission {
  readonly tenant: number;
  readonly action: string;
  readonly numbers: { readonly variations?: number; readonly duration?: number };
  /** The newest brand, of one's own when there is one, or of the next tenant. */
  readonly brand: "own" | "other" | undefined;
  /** End of its prompt, and the outcome that this asks for. */
}

const supported =
  "Invalid action. Supported: copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, image-a-pro, video-a-2, video-a-2-pro, video-b-3-0";

const costOf = (rules: Rules, action: Action, variations: number, seconds: number): number => {
  const credit = creditOf(action);
  if (credit === null) return 0;
  if (credit === "image") return variations;
  // In hundredths: 0.28 a second is 7 for 25 seconds, where floating-point numbers say a little more.
  const price = rules.videoPrices[action as keyof Rules["videoPrices"]];
  return Math.ceil(Math.round(price * seconds * 100) / 100) * variations;
};

const accept = (
  { rules, world }: Bench,
  account: ModelAccount,
  now: number,
  { numbers }: Submission,
  given: Pick<ModelJob, "request" | "brand" | "action">,
): Expected => {
  const { action } = given;
  const { variations = 1, duration = 5 } = numbers;
  const credit = creditOf(action) ?? "image";
  const cost = costOf(rules, action, variations, duration);
  settle(rules, account, now);
  const { monthly, purchased } = account.balances[credit];
  // A refused submission takes no plan.
  if (cost > monthly + purchased) return { status: 402, error: "Insufficient credits" };
  const { taken } = takePlans(world.plans.outcome, action, account.key);
  const job: ModelJob = {
    ...given,
    id: "",
    variations,
    submittedAt: now,
    end: taken ?? {},
    plannedBy: taken && "plan",
    polls: [],
    isRefunded: false,
  };
  const take = (id: string): void => {
    job.id = id;
    if (cost > 0) {
      const spent = Math.min(cost, monthly);
      const paid = { monthly: 0 - spent, purchased: spent - cost };
      job.charge = post(account, { at: now, credit, ...paid, reason: "charge", jobId: id });
    }
    account.jobs.push(job);
  };
  const check = (data: unknown, headers: Headers): void => {
    same(data, { job_id: job.id, status: "queued" }, "the answer to a submission");
    same(headers.get("retry-after"), "0", "Retry-After");
  };
  return { status: 202, made: { kind: "job", take }, check };
};

export const submit = (bench: Bench, submission: Submission) => {
  const { tenant, action, numbers, brand } = submission;
  const whose = brand === "other" ? (tenant + 1) % tenants.length : tenant;
  const newest = accountAt(bench, whose).brands.at(-1)?.id;
  const brandId = brand === "other" ? (newest ?? "brand_nobody") : brand && newest;
  const named = brandId === undefined ? {} : { brand_id: brandId };
  const body = { action, prompt: "Summer sale", ...numbers, ...named };
  return ask(bench, { tenant, operation: "jobs.submit", body }, (account, now) => {
    const { variations = 1, duration = 5 } = numbers;
    if (!isAction(action)) return { status: 400, error: supported };
    if (variations < 1 || variations > 10) return invalid("variations", "an integer from 1 to 10");
    if (creditOf(action) === "video" && (duration <= 0 || duration > 60)) {
      return invalid("duration", "seconds, more than 0 and at most 60");
    }
    const own = account.brands.find(({ id }) => id === brandId);
    if (brandId !== undefined && own === undefined) return notFound("Brand not found");
    const given = { action, request: body, brand: own?.fields["name"] };
    return accept(bench, account, now, submission, given);
  });
};

export const getJob = (bench: Bench, place: Place) => {
  const { tenant, id } = resolve(bench, place, "jobs");
  const { rules } = bench;
  return ask(bench, { tenant, operation: "jobs.get", id }, (account, now) => {
    settle(rules, account, now);
    const job = account.jobs.find((one) => one.id === id);
    if (job === undefined || isGone(rules, job, now)) return notFound("Job not found");
    if (!isFinished(stateOf(rules, job, now))) job.polls.push(now);
    const state = stateOf(rules, job, now);
    if (state.status === "failed") payBack(rules, account, job, now);
    const check = (data: Parameters<typeof requireJob>[3], headers: Headers): void => {
      requireJob(rules, job, now, data);
      const seconds = String(Math.ceil(((state.until ?? now) - now) / 1000));
      same(headers.get("retry-after"), isFinished(state) ? null : seconds, "Retry-After");
    };
    return { status: 200, check };
  });
};

export const listJobs = (bench: Bench, tenant: number, limit: number | undefined) =>
  ask(bench, { tenant, operation: "jobs.list", limit }, (account, now) => ({
    status: 200,
    check: ({ jobs }) => requireJobs(bench.rules, account, now, jobs, limit),
  }));
