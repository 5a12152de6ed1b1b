import { checkOptions, number, type Refuse, type Rules, wholeNumber } from "../options/rules.ts";
import { refuse } from "./answer.ts";
import type { LimitKind, LimitUsage, OwnerLimit } from "./proxy-options.ts";
import type { JobCost } from "./read-job-request.ts";
import type { SteadyStore } from "./steady-store.ts";

const nameOfKind: Readonly<Record<LimitKind, string>> = {
  jobs: "jobs",
  imageCredits: "image credits",
  videoSeconds: "seconds of video",
};

const kinds = Object.keys(nameOfKind) as LimitKind[];

const rules = {
  windowMs: number(1_000, 10 * 365 * 86_400_000, "a number of milliseconds"),
  jobs: wholeNumber(0, 1e9),
  imageCredits: wholeNumber(0, 1e9),
  videoSeconds: number(0, 1e9),
} satisfies Rules;

/** Checks a list of limits, and copies it. */
export const checkLimits = (given: unknown, name: string, refuseWith: Refuse): OwnerLimit[] => {
  if (!Array.isArray(given)) return refuseWith(`${name} must be a list of limits, or a function`);
  const seen = new Set<string>();
  return given.map((limit, index) => {
    const place = `${name}[${index}]`;
    const { windowMs, ...rest } = checkOptions(place, rules, limit, refuseWith, {}, `${place}.`);
    if (windowMs === undefined) return refuseWith(`${place}.windowMs is missing`);
    for (const kind of kinds) {
      if (rest[kind] === undefined) continue;
      const counted = `${kind} in ${windowMs} ms`;
      // Both would count in one number, and each job twice.
      if (seen.has(counted)) {
        refuseWith(`${place} limits ${counted} a second time: keep the smaller limit`);
      }
      seen.add(counted);
    }
    return { windowMs, ...rest };
  });
};

/** One number that a limit keeps in the store. */
interface Counter {
  readonly kind: LimitKind;
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
  readonly endsAt: number;
}

const countersOf = (owner: string, limits: readonly OwnerLimit[]): Counter[] =>
  limits.flatMap((limit) => {
    const { windowMs } = limit;
    const place = Math.floor(Date.now() / windowMs);
    return kinds.flatMap((kind) => {
      const max = limit[kind];
      const key = `limit:${encodeURIComponent(owner)}:${kind}:${windowMs}:${place}`;
      return max === undefined
        ? []
        : [{ kind, key, max, windowMs, endsAt: (place + 1) * windowMs }];
    });
  });

const describeSpan = (ms: number): string => {
  const hours = ms / 3_600_000;
  if (hours >= 48) return `${Math.ceil(hours / 24)} days`;
  if (hours >= 2) return `${Math.ceil(hours)} hours`;
  return ms >= 120_000 ? `${Math.ceil(ms / 60_000)} minutes` : `${Math.ceil(ms / 1000)} seconds`;
};

const refuseOver = ({ kind, max, windowMs, endsAt }: Counter, amount: number): never => {
  const leftMs = endsAt - Date.now();
  const words =
    `this app's limit is reached: ${max} ${nameOfKind[kind]} in ${describeSpan(windowMs)} for each ` +
    `user, and this job takes ${amount}. Nothing was sent or charged`;
  if (amount > max) return refuse(402, words);
  const hint = `; try again in ${describeSpan(leftMs)}`;
  return refuse(402, words + hint, { retryAfterMs: leftMs });
};

/** Gives what was reserved back. */
export type GiveBack = () => Promise<void>;

/**
 * Reserves what a job will use, before it is submitted. What does not fit is a 402 in words of the
 * proxy's own, and reserves nothing.
 */
export const reserve = async (
  store: SteadyStore,
  owner: string,
  limits: readonly OwnerLimit[],
  cost: JobCost,
): Promise<GiveBack> => {
  const taken: Counter[] = [];
  const giveBack = async (): Promise<void> => {
    for (const { key, kind, max, windowMs } of taken.splice(0)) {
      // A store that fails keeps the amount until the window ends: too little is never too much.
      await store.add(key, -cost[kind], max, windowMs).catch(() => false);
    }
  };
  // Jobs come last, because all submissions share them: one that does not fit must not hold them.
  const counters = countersOf(owner, limits);
  const isForAll = ({ kind }: Counter): number => (kind === "jobs" ? 1 : 0);
  counters.sort((one, other) => isForAll(one) - isForAll(other));
  try {
    for (const counter of counters) {
      const { key, kind, max, windowMs } = counter;
      if (cost[kind] === 0) continue;
      if (!(await store.add(key, cost[kind], max, windowMs))) refuseOver(counter, cost[kind]);
      taken.push(counter);
    }
  } catch (refusal) {
    await giveBack();
    throw refusal;
  }
  return giveBack;
};

/** Tells how much of each limit is used. */
export const readUsage = async (
  store: SteadyStore,
  owner: string,
  limits: readonly OwnerLimit[],
): Promise<LimitUsage[]> =>
  Promise.all(
    countersOf(owner, limits).map(async ({ key, kind, max, windowMs, endsAt }) => ({
      kind,
      used: Number((await store.get(key)) ?? 0),
      limit: max,
      windowMs,
      endsAt,
    })),
  );
