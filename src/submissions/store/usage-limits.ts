import { describeValue } from "../../client/errors/text.ts";
import { createRandomId } from "../../client/internal/platform.ts";
import {
  checkOptions,
  groupRule,
  numberRule,
  type Refuse,
  wholeNumberRule,
} from "../../client/options/rules.ts";
import { documentedPriceOf } from "../../contract/actions.ts";
import { maxVariations } from "../../contract/jobs.ts";
import type { LimitKind, ReachedLimit } from "../../contract/proxy-answers.ts";
import type { RecordStore, StoredRecord } from "./record-store.ts";
import { storeError } from "./records.ts";

/** Maximum amounts in a day or in a month. */
export interface UsageLimit {
  /** Maximum number of submissions, including free ones. 0 allows no submission. */
  readonly jobs?: number | undefined;
  /** Maximum number of image credits. Each variation of a picture takes one credit. */
  readonly imageCredits?: number | undefined;
  /**
   * Maximum sum of the lengths of videos, in seconds. Requests for videos then need a `duration`.
   */
  readonly videoSeconds?: number | undefined;
}

/** Maximum amounts for each calendar day and month in UTC. */
export interface UsageLimits {
  /** Maximum amounts in a day. */
  readonly day?: UsageLimit | undefined;
  /** Maximum amounts in a month. */
  readonly month?: UsageLimit | undefined;
}

/** Amounts that a job uses of each kind of limit. */
export type RequestCost = Readonly<Record<LimitKind, number>>;

export const nameOfKind: Readonly<Record<LimitKind, string>> = {
  jobs: "jobs",
  imageCredits: "image credits",
  videoSeconds: "seconds of video",
};

const kinds = Object.keys(nameOfKind) as LimitKind[];

const boundRules = {
  jobs: wholeNumberRule(0, 1e9),
  imageCredits: wholeNumberRule(0, 1e9),
  videoSeconds: numberRule(0, 1e9),
};

/** Checks the limits that a caller gives. */
export const readLimits = (given: unknown, name: string, refuse: Refuse): UsageLimits => {
  const rules = { day: groupRule(boundRules), month: groupRule(boundRules) };
  return checkOptions(name, rules, given, refuse, {}, `${name}.`);
};

/** Returns whether a limit bounds this kind of amount. */
const hasLimitOf = (limits: UsageLimits, kind: LimitKind): boolean =>
  [limits.day, limits.month].some((limit) => limit?.[kind] !== undefined);

/** Maximum length of a video, so that a sum of lengths stays a finite number. */
const maxVideoSeconds = 86_400;

/** Returns what a job uses. It refuses a request whose cost cannot be counted. */
export const requestCostOf = (
  body: Readonly<Record<string, unknown>>,
  limits: UsageLimits,
  refuse: Refuse,
): RequestCost => {
  const { duration } = body;
  const { credit, variations = 0 } = documentedPriceOf(body);
  if (variations < 1 || variations > maxVariations) {
    refuse(`variations must be a whole number from 1 to ${maxVariations}`);
  }
  const isVideo = credit === "video";
  const seconds = duration === undefined ? undefined : Number(duration);
  if (
    duration !== undefined &&
    !(typeof duration === "number" && duration > 0 && duration <= maxVideoSeconds)
  ) {
    refuse(`duration must be a number of seconds, at most ${maxVideoSeconds}`);
  }
  if (isVideo && hasLimitOf(limits, "videoSeconds") && seconds === undefined) {
    refuse("duration is missing: a limit counts the seconds of videos");
  }
  if (
    credit === undefined &&
    (hasLimitOf(limits, "imageCredits") || hasLimitOf(limits, "videoSeconds"))
  ) {
    refuse(`the price of the action ${describeValue(body["action"])} is unknown to a limit`);
  }
  return {
    jobs: 1,
    imageCredits: credit === "image" ? variations : 0,
    videoSeconds: isVideo ? (seconds ?? 0) * variations : 0,
  };
};

/** The day or the month that is running. */
interface Window {
  readonly window: "day" | "month";
  /** Key of the record that counts the used amounts. */
  readonly key: string;
  readonly windowMs: number;
  readonly endsAt: number;
  readonly limit: Partial<RequestCost>;
}

const windowsOf = (place: string, limits: UsageLimits, wallMs: number): readonly Window[] => {
  const now = new Date(wallMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return (["day", "month"] as const).flatMap((window) => {
    const limit = limits[window] as Partial<RequestCost> | undefined;
    if (limit === undefined) return [];
    const isDay = window === "day";
    const startsAt = Date.UTC(year, month, isDay ? day : 1);
    const endsAt = isDay ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
    const key = `${place}:${window}:${startsAt}`;
    return [{ window, key, windowMs: endsAt - startsAt, endsAt, limit }];
  });
};

/** Reads the used amounts. A record of another form fails, because it must not free a limit. */
const readUsed = (record: StoredRecord | undefined): RequestCost => {
  if (record === undefined) return { jobs: 0, imageCredits: 0, videoSeconds: 0 };
  try {
    const stored: RequestCost = JSON.parse(record.text);
    if (kinds.every((kind) => Number.isFinite(stored[kind]))) return stored;
  } catch {
    // The text is not JSON.
  }
  throw storeError(
    `the record ${JSON.stringify(record.id)}, which counts a limit, is damaged: remove it to count ` +
      "from 0 again",
  );
};

/** Maximum number of tries to count while other processes count too. */
const maxTries = 1_000;

/** A limit that a job would exceed. */
export interface ExceededLimit {
  readonly window: "day" | "month";
  /** Amount that the job takes. */
  readonly amount: number;
  /** Time until the window ends, in milliseconds. Absent where no window has room for the job. */
  readonly retryAfterMs?: number | undefined;
  readonly limit: ReachedLimit;
}

/** Result of a reservation. */
export interface Reservation {
  /** Limit that the job would exceed. Nothing is reserved then. */
  readonly exceeded?: ExceededLimit | undefined;
  /** Frees the reserved amounts again, because the job was not made. */
  readonly giveBack: () => Promise<void>;
}

/** Creates the counters of what jobs use, for all processes that share a store. */
export const createUsageLimits = (store: RecordStore, wall: () => number) => {
  /**
   * Adds amounts to a counter. If an amount does not fit, it counts nothing and returns its kind.
   */
  const count = async (
    { key, limit, windowMs }: Window,
    amountOf: (kind: LimitKind) => number,
  ): Promise<LimitKind | undefined> => {
    let there = await store.get(key);
    for (let tries = 0; tries < maxTries; tries++) {
      const used = readUsed(there);
      // Sums of fractions would drift, so they are rounded to millionths.
      const sum = (kind: LimitKind) => Math.round((used[kind] + amountOf(kind)) * 1e6) / 1e6;
      const over = kinds.find(
        (kind) => amountOf(kind) > 0 && sum(kind) > (limit[kind] ?? Number.POSITIVE_INFINITY),
      );
      if (over !== undefined) return over;
      const sums = Object.fromEntries(kinds.map((kind) => [kind, Math.max(0, sum(kind))]));
      const next = { rev: createRandomId(), text: JSON.stringify(sums), ttlMs: windowMs };
      const now = await store.swap(key, there?.rev ?? "", next);
      if (now?.rev === next.rev) return undefined;
      there = now;
    }
    throw storeError(`other processes kept changing the record ${JSON.stringify(key)}: try again`);
  };

  const describe = (kind: LimitKind, window: Window, amount: number): ExceededLimit => {
    const { endsAt, windowMs } = window;
    const limit = { kind, limit: window.limit[kind] ?? 0, windowMs, endsAt };
    const retryAfterMs = amount > limit.limit ? undefined : endsAt - wall();
    return { window: window.window, amount, retryAfterMs, limit };
  };

  return {
    /**
     * Reserves the cost of a job before it is submitted. A job that does not fit reserves nothing.
     *
     * @param place - Name of the owner of the limits
     */
    async reserve(place: string, limits: UsageLimits, cost: RequestCost): Promise<Reservation> {
      const taken: Window[] = [];
      const giveBack = async (): Promise<void> => {
        for (const window of taken.splice(0)) {
          // If this fails, less is left until the window ends, and never more.
          await count(window, (kind) => -cost[kind]).catch(() => undefined);
        }
      };
      try {
        for (const window of windowsOf(place, limits, wall())) {
          const over = await count(window, (kind) => cost[kind]);
          if (over !== undefined) {
            await giveBack();
            return { exceeded: describe(over, window, cost[over]), giveBack };
          }
          taken.push(window);
        }
      } catch (error) {
        await giveBack();
        throw error;
      }
      return { giveBack };
    },
    /** Returns the used amount of each limit. */
    async readUsage(place: string, limits: UsageLimits) {
      const usage = windowsOf(place, limits, wall()).map(async ({ key, limit, ...window }) => {
        const used = readUsed(await store.get(key));
        const bounded = kinds.filter((kind) => limit[kind] !== undefined);
        return bounded.map((kind) => ({
          ...window,
          kind,
          used: used[kind],
          limit: limit[kind] ?? 0,
        }));
      });
      return (await Promise.all(usage)).flat();
    },
  };
};
