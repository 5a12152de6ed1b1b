import type { AsyncCommand } from "fast-check";
import { type Action, isAction } from "../../../src/contract/actions.ts";
import { type Asked, accountAt, ask, type Bench, type Expected, tenants, timeOf } from "./bench.ts";
import { requireInvariants, requireJob, requireJobs } from "./invariants.ts";
import { isFinished, isGone, isMovedByPolls, payBack, settle, stateOf } from "./passing-time.ts";
import {
  creditOf,
  type ModelAccount,
  type ModelJob,
  type Plan,
  post,
  type Rules,
} from "./world.ts";

export type Step = AsyncCommand<Bench, Bench>;

/**
 * One step of a run; whatever it does, the invariants hold afterwards.
 *
 * @param isSeen - Looking makes the service catch up with its clock: without it, the next step has to
 */
export const step = (
  name: string,
  run: (bench: Bench) => Promise<void> | void,
  isSeen = true,
): Step => ({
  check: () => true,
  run: async (bench) => {
    await run(bench);
    if (isSeen) requireInvariants(bench);
  },
  toString: () => name,
});

/** Steps that only find something together. */
export const several = (name: string, all: readonly Step[]): Step => ({
  check: () => true,
  run: async (bench, same) => {
    for (const one of all) await one.run(bench, same);
  },
  toString: () => `${name}(${all.join(", ")})`,
});

/** A thing of somebody's. */
export interface Pick {
  /** Whose; of the next tenant that has one, when this one has none. */
  readonly owner: number;
  /** From the newest on, and round again; below zero: one that nobody has. */
  readonly place: number;
  /** Who asks for it. @default its owner */
  readonly as: number | undefined;
}

interface Picked {
  readonly owner: number;
  readonly tenant: number;
  readonly id: string;
}

export const resolve = (
  bench: Bench,
  { owner, place, as }: Pick,
  kind: "jobs" | "brands" | "ads",
): Picked => {
  const owners = tenants.map((_, further) => (owner + further) % tenants.length);
  const found = owners.find((one) => accountAt(bench, one)[kind].length > 0) ?? owner;
  const things = accountAt(bench, found)[kind];
  const thing = place < 0 ? undefined : things.at(-1 - (place % Math.max(1, things.length)));
  return { owner: found, tenant: as ?? found, id: thing?.id ?? `${kind}_nobody` };
};

export const shown = (text: object): string => JSON.stringify(text);

export const notFound = (error: string): Expected => ({ status: 404, error });

export interface Submission {
  readonly tenant: number;
  readonly action: string;
  readonly variations: number | undefined;
  readonly duration: number | undefined;
  /** The newest brand, of one's own when there is one, or of the next tenant. */
  readonly brand: "own" | "other" | undefined;
  /** By its prompt. */
  readonly plan: Plan & { readonly takes?: string };
}

const promptOf = ({ fail, takes, result }: Submission["plan"]): string =>
  [
    "Summer sale",
    ...(fail === undefined ? [] : [`[[fail: ${fail}]]`]),
    ...(takes === undefined ? [] : [`with [[takes: ${takes}]]`]),
    ...(result === undefined ? [] : [`[[result: ${JSON.stringify(result)}]]`]),
  ].join(" ");

const supported =
  "Invalid action. Supported: copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, image-a-pro, video-a-2, video-a-2-pro, video-b-3-0";

const costOf = ({ prices }: Rules, action: Action, variations: number, seconds: number): number => {
  const credit = creditOf(action);
  if (credit === null) return 0;
  if (credit === "image") return variations;
  return Math.ceil(prices[action as keyof Rules["prices"]] * seconds) * variations;
};

/** The first that fits, of those that are left; a refused submission takes none. */
const takePlan = ({ world }: Bench, key: string, action: Action): Plan | undefined => {
  const place = world.outcomes.findIndex(
    (outcome) =>
      (outcome.action === undefined || outcome.action === action) &&
      (outcome.account === undefined || outcome.account === key),
  );
  const outcome = world.outcomes[place];
  if (outcome === undefined) return undefined;
  outcome.remaining -= 1;
  if (outcome.remaining <= 0) world.outcomes.splice(place, 1);
  return outcome.plan;
};

const accept = (
  bench: Bench,
  account: ModelAccount,
  now: number,
  { variations = 1, duration = 5, plan }: Submission,
  action: Action,
): Expected => {
  const { rules } = bench;
  const credit = creditOf(action) ?? "image";
  const cost = costOf(rules, action, variations, duration);
  settle(rules, account, now);
  const { monthly, purchased } = account.balances[credit];
  if (cost > monthly + purchased) return { status: 402, error: "Insufficient credits" };
  const { takes: _, ...fromPrompt } = plan;
  const job: ModelJob = {
    id: "",
    action,
    variations,
    duration: credit === "video" ? duration : undefined,
    submittedAt: now,
    plan: takePlan(bench, account.key, action) ?? fromPrompt,
    polls: 0,
    isRefunded: false,
  };
  return {
    status: 202,
    made: {
      kind: "job",
      take: (id) => {
        job.id = id;
        if (cost > 0) {
          const spent = Math.min(cost, monthly);
          const paid = { monthly: 0 - spent, purchased: spent - cost };
          job.charge = post(account, { at: now, credit, ...paid, reason: "charge", jobId: id });
        }
        account.jobs.push(job);
      },
    },
    check: (data, headers) => {
      if (shown(data) !== shown({ job_id: job.id, status: "queued" })) throw new Error(shown(data));
      const wait = headers.get("retry-after");
      if (wait !== "0") throw new Error(`Retry-After: ${wait}`);
    },
  };
};

export const submit = (submission: Submission): Step =>
  step(`submit(${shown(submission)})`, (bench) => {
    const { tenant, action, variations, duration, brand, plan } = submission;
    const whose = brand === "other" ? (tenant + 1) % tenants.length : tenant;
    const newest = accountAt(bench, whose).brands.at(-1)?.id;
    const brandId = brand === "other" ? (newest ?? "brand_nobody") : brand && newest;
    const body = {
      action,
      prompt: promptOf(plan),
      ...(variations !== undefined && { variations }),
      ...(duration !== undefined && { duration }),
      ...(brandId !== undefined && { brand_id: brandId }),
    };
    const asked: Asked = {
      tenant,
      operation: "jobs.submit",
      method: "POST",
      path: "/v1/jobs",
      body,
    };
    return ask(bench, asked, (account, now) => {
      if (!isAction(action)) return { status: 400, error: supported };
      if (variations !== undefined && (variations < 1 || variations > 10)) {
        const error = "Invalid parameter variations: expected an integer from 1 to 10";
        return { status: 400, error };
      }
      const seconds = duration ?? 5;
      if (creditOf(action) === "video" && (seconds <= 0 || seconds > 60)) {
        const error = "Invalid parameter duration: expected seconds, more than 0 and at most 60";
        return { status: 400, error };
      }
      if (brandId !== undefined && !account.brands.some(({ id }) => id === brandId)) {
        return notFound("Brand not found");
      }
      return accept(bench, account, now, submission, action);
    });
  });

export const getJob = (pick: Pick): Step =>
  step(`getJob(${shown(pick)})`, (bench) => {
    const { tenant, id } = resolve(bench, pick, "jobs");
    const { rules } = bench;
    const path = `/v1/jobs/${id}`;
    const asked: Asked = { tenant, operation: "jobs.get", method: "GET", path };
    return ask(bench, asked, (account, now) => {
      settle(rules, account, now);
      const job = account.jobs.find((one) => one.id === id);
      if (job === undefined) return notFound("Job not found");
      const before = stateOf(rules, job, now);
      if (isGone(rules, job, now)) return notFound("Job not found");
      if (!isFinished(before) && isMovedByPolls(rules, job)) job.polls += 1;
      const state = stateOf(rules, job, now);
      if (state.status === "failed") payBack(rules, account, job, now);
      return {
        status: 200,
        check: (data, headers) => {
          requireJob(rules, job, now, data);
          const wait = headers.get("retry-after");
          const told = isFinished(state) === (wait === null);
          const until = isMovedByPolls(rules, job) ? now : state.until;
          const right = until === undefined || wait === String(Math.ceil((until - now) / 1000));
          if (!told || (wait !== null && !right)) throw new Error(`Retry-After: ${wait}`);
        },
      };
    });
  });

/** `undefined` when the list takes this limit. */
export const refusedLimit = (limit: number | undefined): Expected | undefined => {
  if (limit === undefined || limit > 0) return undefined;
  return { status: 400, error: "Invalid parameter limit: expected a positive integer" };
};

export const query = (limit: number | undefined): string =>
  limit === undefined ? "" : `?limit=${limit}`;

export const listJobs = (tenant: number, limit: number | undefined): Step =>
  step(`listJobs(${tenant}, ${limit})`, (bench) => {
    const path = `/v1/jobs${query(limit)}`;
    const asked: Asked = { tenant, operation: "jobs.list", method: "GET", path };
    return ask(
      bench,
      asked,
      (account, now) =>
        refusedLimit(limit) ?? {
          status: 200,
          check: ({ jobs }) => requireJobs(bench.rules, account, now, jobs, limit),
        },
    );
  });

export const keyOf = (tenant: number): string => tenants[tenant] ?? "";
export const nowOf = (bench: Bench, tenant: number): number =>
  timeOf(bench, accountAt(bench, tenant));
