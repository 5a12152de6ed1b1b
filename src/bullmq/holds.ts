import type { Queue } from "bullmq";
import type { AnyAdGenError } from "../client/errors/errors.ts";
import { notify } from "../client/options/hooks.ts";
import { type CreditKind, priceOf } from "../contract/actions.ts";
import type { ProcessorOptions } from "./processor-options.ts";

/** Unknown outcomes in a row after which a worker holds all submissions back. */
const maxUnknown = 3;

/** Keys: trial. Arguments: milliseconds. Returns 0 to the one that may try, else the time until the next. */
const takeTrial = `
if redis.call('SET', KEYS[1], 1, 'PX', ARGV[1], 'NX') then return 0 end
return math.max(1, redis.call('PTTL', KEYS[1]))`;

/** Names of what is held back: all submissions, or those that cost one kind of credit. */
type HoldName = "all" | CreditKind;

const keysOf = (queue: Queue) => ({
  /** Time until which no request may leave. */
  limit: queue.toKey("adgen-limit"),
  /** There while something is held back. */
  holdOf: (name: HoldName) => queue.toKey(`adgen-hold-${name}`),
  /** Expires when the next submission may be tried. */
  trialOf: (name: HoldName) => queue.toKey(`adgen-trial-${name}`),
});

/** Kind of credit that a request costs; all for a free or an unknown action. */
const creditOf = (request: object): HoldName => priceOf(request).credit ?? "all";

/**
 * Lets a queue go on that a failure holds back: as when credits were bought, or a key was mended.
 * What was put off notices it within `holdMs`.
 *
 * @param queue Queue of BullMQ.
 * @example
 * await resume(new Queue("ads", { connection }));
 */
export const resume = async (queue: Queue): Promise<void> => {
  const { limit, holdOf, trialOf } = keysOf(queue);
  const names = ["all", "image", "video"] as const;
  const client = await queue.getBackend().client;
  await client.del(limit, ...names.flatMap((name) => [holdOf(name), trialOf(name)]));
};

/** Holds all submissions back, or those of one kind of credit: in Redis, for all workers. */
export const createHolds = (queue: Queue, holdMs: number, onHold: ProcessorOptions["onHold"]) => {
  const { limit, holdOf, trialOf } = keysOf(queue);
  let unknownInARow = 0;

  const connect = async () => {
    const client = await queue.getBackend().client;
    client.defineCommand("adgenTrial", { numberOfKeys: 1, lua: takeTrial });
    return client;
  };
  const leftMs = async (): Promise<number> => {
    const until = await (await connect()).get(limit);
    return Math.max(0, Number(until) - Date.now());
  };

  return {
    /** Time until any request may leave, in milliseconds. */
    leftMs,
    /** Holds all requests back, polls too. */
    limit: async (error: AnyAdGenError, ms: number): Promise<void> => {
      const waitMs = Math.max(1, Math.ceil(ms));
      const heldMs = await leftMs();
      if (waitMs <= heldMs) return;
      await (await connect()).set(limit, Date.now() + waitMs, { PX: waitMs });
      const isNew = waitMs > holdMs && heldMs <= holdMs;
      if (isNew) notify("onHold", onHold, { held: "requests", error, waitMs });
    },
    /**
     * Time until a submission may be tried, in milliseconds. While held, one at a time is, and gets -1;
     * where nothing is held, each gets 0.
     */
    probeInMs: async (request: object): Promise<number> => {
      const client = await connect();
      let probeInMs = 0;
      for (const name of new Set<HoldName>(["all", creditOf(request)])) {
        if ((await client.get(holdOf(name))) === null) continue;
        const waitMs = Number(await client.runCommand("adgenTrial", [trialOf(name), holdMs]));
        if (waitMs > 0) return waitMs;
        probeInMs = -1;
      }
      return probeInMs;
    },
    /** Counts a failure that may meet each submission. One that will meet them all counts as enough. */
    countFailure: async (
      error: AnyAdGenError,
      isOfAll: boolean,
      request: object = {},
    ): Promise<void> => {
      if (!isOfAll && ++unknownInARow < maxUnknown) return;
      const client = await connect();
      // An empty purse says nothing about the other one, nor about what is free.
      const name = error.code === "payment_required" ? creditOf(request) : "all";
      const isNew = (await client.get(holdOf(name))) === null;
      await client.set(trialOf(name), 1, { PX: holdMs });
      await client.set(holdOf(name), 1);
      const credit = name === "all" ? undefined : name;
      if (isNew) notify("onHold", onHold, { held: "submissions", credit, error, waitMs: holdMs });
    },
    /** Notes a submission that succeeded. As a probe it ends what holds back those that cost the same. */
    noteSuccess: async (request: object, isProbe: boolean): Promise<void> => {
      unknownInARow = 0;
      const names: HoldName[] = ["all", creditOf(request)];
      if (!isProbe) return;
      await (await connect()).del(...names.flatMap((name) => [holdOf(name), trialOf(name)]));
    },
  };
};
