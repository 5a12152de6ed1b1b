import type { LimitKind } from "../contract/reached-limit.ts";
import {
  checkOptions,
  number,
  type Refuse,
  type Rules,
  rule,
  wholeNumber,
} from "../options/rules.ts";
import { createRandomId } from "../random-id.ts";
import type { RecordStore, StoredRecord } from "../submissions/record-store.ts";
import { readStored, refuse } from "./answer.ts";
import { type CalendarName, periodAt } from "./calendar.ts";
import type { LimitUsage } from "./proxy-options.ts";
import type { JobCost } from "./read-job-request.ts";

const nameOfKind: Readonly<Record<LimitKind, string>> = {
  jobs: "jobs",
  imageCredits: "image credits",
  videoSeconds: "seconds of video",
};

const kinds = Object.keys(nameOfKind) as LimitKind[];

const isTimeZone = (value: unknown): boolean => {
  try {
    return typeof value === "string" && new Intl.DateTimeFormat("en", { timeZone: value }) !== null;
  } catch {
    return false;
  }
};

const rules = {
  // First of the two: `windows` may mean either.
  window: rule<CalendarName>('"day", "week" or "month"', (value) =>
    ["day", "week", "month"].includes(String(value)),
  ),
  windowMs: number(1_000, 10 * 365 * 86_400_000, "a number of milliseconds"),
  timeZone: rule<string>('a time zone, such as "Europe/Paris"', isTimeZone),
  jobs: wholeNumber(0, 1e9),
  imageCredits: wholeNumber(0, 1e9),
  videoSeconds: number(0, 1e9),
} satisfies Rules;

/** The largest amount of a kind. */
interface Bound {
  readonly kind: LimitKind;
  readonly max: number;
}

/** The limits of all windows of one kind. */
export interface LimitedSpan {
  /** Length in milliseconds, or a name of the calendar. */
  readonly span: number | CalendarName;
  readonly timeZone: string;
  readonly bounds: readonly Bound[];
}

/** Checks a list of limits, and gives it by the lengths of their windows. */
export const readLimits = (given: unknown, name: string, refuseWith: Refuse): LimitedSpan[] => {
  if (!Array.isArray(given)) return refuseWith(`${name} must be a list of limits, or a function`);
  const spans = new Map<string, LimitedSpan & { bounds: Bound[] }>();
  for (const [index, limit] of given.entries()) {
    const place = `${name}[${index}]`;
    const checked = checkOptions(place, rules, limit, refuseWith, {}, `${place}.`);
    const { windowMs, window, timeZone = "UTC", ...rest } = checked;
    const span = windowMs ?? window;
    if (span === undefined) {
      return refuseWith(`${place} needs windowMs, or window: "day", "week" or "month"`);
    }
    if (windowMs !== undefined && (window ?? checked.timeZone) !== undefined) {
      return refuseWith(`${place} has windowMs, so that window and timeZone must be left out`);
    }
    if (kinds.every((kind) => rest[kind] === undefined)) {
      return refuseWith(`${place} bounds nothing: give one of ${kinds.join(", ")}`);
    }
    const words = typeof span === "number" ? `${span} ms` : `a ${span} of ${timeZone}`;
    const there = spans.get(words) ?? { span, timeZone, bounds: [] };
    const { bounds } = there;
    for (const kind of kinds) {
      const max = rest[kind];
      if (max !== undefined && bounds.some((bound) => bound.kind === kind)) {
        refuseWith(`${place} limits ${kind} in ${words} a second time: keep the smaller limit`);
      }
      if (max !== undefined) bounds.push({ kind, max });
    }
    spans.set(words, there);
  }
  // Jobs come last: what does not fit elsewhere must not hold them.
  const countsJobs = ({ bounds }: LimitedSpan) =>
    Number(bounds.some(({ kind }) => kind === "jobs"));
  return [...spans.values()].sort((one, other) => countsJobs(one) - countsJobs(other));
};

/** A window of time that has begun, and not ended. */
interface Window extends LimitedSpan {
  /** Place in the store of what was used. */
  readonly key: string;
  readonly windowMs: number;
  readonly endsAt: number;
}

const windowsOf = (owner: string, spans: readonly LimitedSpan[]): readonly Window[] =>
  spans.map((limited) => {
    const { span, timeZone } = limited;
    const now = Date.now();
    const fixedAt = typeof span === "number" ? Math.floor(now / span) : 0;
    const { startsAt, endsAt } =
      typeof span === "number"
        ? { startsAt: fixedAt * span, endsAt: (fixedAt + 1) * span }
        : periodAt(now, span, timeZone);
    const place = typeof span === "number" ? fixedAt : startsAt;
    const key = `limit:${encodeURIComponent(owner)}:${span}:${place}`;
    return { ...limited, key, windowMs: endsAt - startsAt, endsAt };
  });

const costOfKinds = (amountOf: (kind: LimitKind) => number): JobCost => ({
  jobs: amountOf("jobs"),
  imageCredits: amountOf("imageCredits"),
  videoSeconds: amountOf("videoSeconds"),
});

/** Stands for an amount that was too large for JSON, which wrote it as null: above every limit. */
const beyondLimits = 1e15;

/** Reads what was used in a window. */
const readUsed = (record: StoredRecord | undefined): JobCost => {
  if (record === undefined) return costOfKinds(() => 0);
  const used = readStored<Readonly<Record<LimitKind, number | null>>>(
    record,
    (stored) => kinds.every((kind) => stored[kind] === null || Number.isFinite(stored[kind])),
    "of a limit",
  );
  return costOfKinds((kind) => used[kind] ?? beyondLimits);
};

/** Adds amounts. Sums of fractions would drift, so they are rounded to millionths. */
const addUp = (used: JobCost, cost: JobCost): JobCost =>
  costOfKinds((kind) => Math.max(0, Math.round((used[kind] + cost[kind]) * 1e6) / 1e6));

/** The most tries to count while other processes count, too. */
const mostTries = 1_000;

const describeSpan = (ms: number): string => {
  const hours = ms / 3_600_000;
  if (hours >= 48) return `${Math.ceil(hours / 24)} days`;
  if (hours >= 2) return `${Math.ceil(hours)} hours`;
  return ms >= 120_000 ? `${Math.ceil(ms / 60_000)} minutes` : `${Math.ceil(ms / 1000)} seconds`;
};

const refuseOver = (
  { kind, max }: Bound,
  { span, windowMs, endsAt }: Window,
  amount: number,
): never => {
  const leftMs = endsAt - Date.now();
  const words =
    `this app's limit is reached: ${max} ${nameOfKind[kind]} in ` +
    `${typeof span === "number" ? describeSpan(windowMs) : `a ${span}`} for each ` +
    `user, and this job takes ${amount}. Nothing was sent or charged`;
  const limit = { kind, limit: max, windowMs, endsAt };
  if (amount > max) return refuse(402, words, { limit });
  const hint = `; try again in ${describeSpan(leftMs)}`;
  return refuse(402, words + hint, { retryAfterMs: leftMs, limit });
};

/** Returns what was reserved. */
export type GiveBack = () => Promise<void>;

export const createLimits = (store: RecordStore) => {
  /** Counts of this process under way: at the same time, each would make the others try again. */
  const turns = new Map<string, Promise<unknown>>();

  /** Counts amounts in a window; gives the bound that they do not fit, and counts nothing then. */
  const count = async (
    { key, bounds, windowMs }: Window,
    cost: JobCost,
  ): Promise<Bound | undefined> => {
    let there = await store.get(key);
    for (let tries = 0; tries < mostTries; tries++) {
      const sum = addUp(readUsed(there), cost);
      const over = bounds.find(({ kind, max }) => cost[kind] > 0 && sum[kind] > max);
      if (over !== undefined) return over;
      const next = { rev: createRandomId(), text: JSON.stringify(sum), ttlMs: windowMs };
      const now = await store.swap(key, there?.rev ?? "", next);
      if (now?.rev === next.rev) return undefined;
      there = now;
    }
    return refuse(503, "the proxy's store does not keep what a limit has counted");
  };

  const countInTurn = async (window: Window, cost: JobCost): Promise<Bound | undefined> => {
    const { key } = window;
    // Where the store fails, those that wait for it fail at once, instead of one after another.
    const turn = Promise.resolve(turns.get(key)).then(() => count(window, cost));
    turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (turns.get(key) === turn) turns.delete(key);
    }
  };

  return {
    /**
     * Reserves what a job will use, before it is submitted. What does not fit is a 402 in words of
     * the proxy's own, and reserves nothing.
     */
    async reserve(owner: string, limits: readonly LimitedSpan[], cost: JobCost): Promise<GiveBack> {
      const taken: Window[] = [];
      const giveBack = async (): Promise<void> => {
        for (const window of taken.splice(0)) {
          // If giving back fails, the owner has less left until the window ends, never more.
          const back = costOfKinds((kind) => -cost[kind]);
          await count(window, back).catch(() => undefined);
        }
      };
      try {
        for (const window of windowsOf(owner, limits)) {
          if (window.bounds.every(({ kind }) => cost[kind] === 0)) continue;
          const over = await countInTurn(window, cost);
          if (over !== undefined) refuseOver(over, window, cost[over.kind]);
          taken.push(window);
        }
      } catch (refusal) {
        await giveBack();
        throw refusal;
      }
      return giveBack;
    },
    /** How much of each limit is used. */
    async readUsage(owner: string, limits: readonly LimitedSpan[]): Promise<LimitUsage[]> {
      const usage = windowsOf(owner, limits).map(async ({ key, bounds, windowMs, endsAt }) => {
        const used = readUsed(await store.get(key));
        return bounds.map(({ kind, max }) => ({
          kind,
          used: used[kind],
          limit: max,
          windowMs,
          endsAt,
        }));
      });
      return (await Promise.all(usage)).flat();
    },
  };
};
