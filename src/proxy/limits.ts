import type { LimitKind } from "../contract/proxy-answers.ts";
import { checkOptions, group, number, type Refuse, wholeNumber } from "../options/rules.ts";
import { createRandomId } from "../random-id.ts";
import type { RecordStore, StoredRecord } from "../submissions/record-store.ts";
import { readStored, refuse } from "./answer.ts";
import type { LimitUsage, OwnerLimits } from "./proxy-options.ts";

/** Amounts that count against limits. */
export type JobCost = Readonly<Record<LimitKind, number>>;

const nameOfKind: Readonly<Record<LimitKind, string>> = {
  jobs: "jobs",
  imageCredits: "image credits",
  videoSeconds: "seconds of video",
};

const kinds = Object.keys(nameOfKind) as LimitKind[];

const boundRules = {
  jobs: wholeNumber(0, 1e9),
  imageCredits: wholeNumber(0, 1e9),
  videoSeconds: number(0, 1e9),
};

export const readLimits = (given: unknown, name: string, refuseWith: Refuse): OwnerLimits => {
  const rules = { day: group(boundRules), month: group(boundRules) };
  return checkOptions(name, rules, given, refuseWith, {}, `${name}.`);
};

/** A window of time that has begun, and not ended. */
interface Window {
  readonly window: "day" | "month";
  /** Place in the store of what was used. */
  readonly key: string;
  readonly windowMs: number;
  readonly endsAt: number;
  readonly bounds: Partial<JobCost>;
}

const windowsOf = (owner: string, limits: OwnerLimits): readonly Window[] => {
  const now = new Date();
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return (["day", "month"] as const).flatMap((window) => {
    const bounds = limits[window] as Partial<JobCost> | undefined;
    if (bounds === undefined) return [];
    const isDay = window === "day";
    const startsAt = Date.UTC(year, month, isDay ? day : 1);
    const endsAt = isDay ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
    const key = `limit:${encodeURIComponent(owner)}:${window}:${startsAt}`;
    return [{ window, key, windowMs: endsAt - startsAt, endsAt, bounds }];
  });
};

/** Reads what was used in a window. */
const readUsed = (record: StoredRecord | undefined): JobCost =>
  record === undefined
    ? { jobs: 0, imageCredits: 0, videoSeconds: 0 }
    : readStored<JobCost>(
        record,
        (stored) => kinds.every((kind) => Number.isFinite(stored[kind])),
        "of a limit",
      );

/** The most tries to count while other requests count, too. */
const mostTries = 1_000;

const refuseOver = (
  kind: LimitKind,
  { window, windowMs, endsAt, bounds }: Window,
  amount: number,
) => {
  const { [kind]: max = 0 } = bounds;
  const retryAfterMs = amount > max ? undefined : endsAt - Date.now();
  const words =
    `this app's limit is reached: ${max} ${nameOfKind[kind]} in a ${window} for each user, and ` +
    `this job takes ${amount}. Nothing was sent or charged`;
  return refuse(402, words, { retryAfterMs, limit: { kind, limit: max, windowMs, endsAt } });
};

export const createLimits = (store: RecordStore) => {
  /** Adds amounts to what was used; gives the kind of amount that does not fit, and counts nothing then. */
  const count = async (
    { key, bounds, windowMs }: Window,
    amountOf: (kind: LimitKind) => number,
  ): Promise<LimitKind | undefined> => {
    let there = await store.get(key);
    for (let tries = 0; tries < mostTries; tries++) {
      const used = readUsed(there);
      // Sums of fractions would drift, so they are rounded to millionths.
      const sum = (kind: LimitKind) => Math.round((used[kind] + amountOf(kind)) * 1e6) / 1e6;
      const over = kinds.find(
        (kind) => amountOf(kind) > 0 && sum(kind) > (bounds[kind] ?? Infinity),
      );
      if (over !== undefined) return over;
      const sums = Object.fromEntries(kinds.map((kind) => [kind, Math.max(0, sum(kind))]));
      const next = { rev: createRandomId(), text: JSON.stringify(sums), ttlMs: windowMs };
      const now = await store.swap(key, there?.rev ?? "", next);
      if (now?.rev === next.rev) return undefined;
      there = now;
    }
    return refuse(503, "the proxy's store does not keep what a limit has counted");
  };

  return {
    /**
     * Reserves what a job will use, before it is submitted, and gives the function that returns it. What
     * does not fit is a 402 in words of the proxy's own, and reserves nothing.
     */
    async reserve(owner: string, limits: OwnerLimits, cost: JobCost): Promise<() => Promise<void>> {
      const taken: Window[] = [];
      const giveBack = async (): Promise<void> => {
        for (const window of taken.splice(0)) {
          // If giving back fails, the owner has less left until the window ends, never more.
          await count(window, (kind) => -cost[kind]).catch(() => undefined);
        }
      };
      try {
        for (const window of windowsOf(owner, limits)) {
          const over = await count(window, (kind) => cost[kind]);
          if (over !== undefined) refuseOver(over, window, cost[over]);
          taken.push(window);
        }
      } catch (refusal) {
        await giveBack();
        throw refusal;
      }
      return giveBack;
    },
    /** How much of each limit is used. */
    async readUsage(owner: string, limits: OwnerLimits): Promise<LimitUsage[]> {
      const usage = windowsOf(owner, limits).map(async ({ key, bounds, ...window }) => {
        const used = readUsed(await store.get(key));
        const bounded = kinds.filter((kind) => bounds[kind] !== undefined);
        return bounded.map((kind) => ({
          ...window,
          kind,
          used: used[kind],
          limit: bounds[kind] ?? 0,
        }));
      });
      return (await Promise.all(usage)).flat();
    },
  };
};
