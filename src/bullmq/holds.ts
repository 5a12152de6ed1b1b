import type { Queue } from "bullmq";
import type { AnyAdGenError } from "../client/errors/errors.ts";
import { notify } from "../client/options/hooks.ts";
import { type CreditKind, priceOf } from "../contract/actions.ts";
import type { ProcessorOptions } from "./processor-options.ts";

/** Unknown outcomes in a row after which a worker holds all submissions back. */
const maxUnknown = 3;

/** Takes the probe `KEYS[1]` for `ARGV[1]` ms: returns 0 if it was free, else the ms until it is. */
const takeProbe = `
if redis.call('SET', KEYS[1], 1, 'PX', ARGV[1], 'NX') then return 0 end
return math.max(1, redis.call('PTTL', KEYS[1]))`;

/** Names of what is held back: all submissions, or those that cost one kind of credit. */
type HoldName = "all" | CreditKind;

const keysOf = (queue: Queue) => ({
  /** Time until which no request may be sent. */
  limit: queue.toKey("adgen-limit"),
  /** Exists while something is held back. */
  holdOf: (name: HoldName) => queue.toKey(`adgen-hold-${name}`),
  /** Expires when the next submission may be sent as a probe. */
  probeOf: (name: HoldName) => queue.toKey(`adgen-probe-${name}`),
});

/** Returns the kind of credit that a request costs; `all` for a free or an unknown action. */
const creditOf = (request: object): HoldName => priceOf(request).credit ?? "all";

/**
 * Ends what holds a queue back after a failure, for example when you bought credits or replaced a key.
 * Delayed jobs notice it within `holdMs`.
 *
 * @param queue Queue of BullMQ.
 * @example
 * await resume(new Queue("ads", { connection }));
 */
export const resume = async (queue: Queue): Promise<void> => {
  const { limit, holdOf, probeOf } = keysOf(queue);
  const names = ["all", "image", "video"] as const;
  const client = await queue.getBackend().client;
  await client.del(limit, ...names.flatMap((name) => [holdOf(name), probeOf(name)]));
};

/** Holds back all submissions, or those of one kind of credit. The state in Redis is for all workers. */
export const createHolds = (queue: Queue, holdMs: number, onHold: ProcessorOptions["onHold"]) => {
  const { limit, holdOf, probeOf } = keysOf(queue);
  let unknownInARow = 0;

  const connect = async () => {
    const client = await queue.getBackend().client;
    client.defineCommand("adgenProbe", { numberOfKeys: 1, lua: takeProbe });
    return client;
  };
  const leftMs = async (): Promise<number> => {
    const until = await (await connect()).get(limit);
    return Math.max(0, Number(until) - Date.now());
  };

  return {
    /** Returns the time until any request may be sent, in milliseconds. */
    leftMs,
    /** Holds back all requests, also polls. */
    limit: async (error: AnyAdGenError, ms: number): Promise<void> => {
      const waitMs = Math.max(1, Math.ceil(ms));
      const heldMs = await leftMs();
      if (waitMs <= heldMs) return;
      await (await connect()).set(limit, Date.now() + waitMs, { PX: waitMs });
      const isNew = waitMs > holdMs && heldMs <= holdMs;
      if (isNew) notify("onHold", onHold, { held: "requests", error, waitMs });
    },
    /**
     * Returns the time until a submission may be sent, in milliseconds: 0 if nothing is held back, and -1
     * if this submission is the probe. While something is held back, one probe is sent at a time.
     */
    probeInMs: async (request: object): Promise<number> => {
      const client = await connect();
      let probeInMs = 0;
      for (const name of new Set<HoldName>(["all", creditOf(request)])) {
        if ((await client.get(holdOf(name))) === null) continue;
        const waitMs = Number(await client.runCommand("adgenProbe", [probeOf(name), holdMs]));
        if (waitMs > 0) return waitMs;
        probeInMs = -1;
      }
      return probeInMs;
    },
    /** Counts a failure. Holds submissions back after `maxUnknown` in a row, or at once if `isOfAll`. */
    countFailure: async (
      error: AnyAdGenError,
      isOfAll: boolean,
      request: object = {},
    ): Promise<void> => {
      if (!isOfAll && ++unknownInARow < maxUnknown) return;
      const client = await connect();
      // Without image credits, videos and free actions still work, and the other way round.
      const name = error.code === "payment_required" ? creditOf(request) : "all";
      const isNew = (await client.get(holdOf(name))) === null;
      await client.set(probeOf(name), 1, { PX: holdMs });
      await client.set(holdOf(name), 1);
      const credit = name === "all" ? undefined : name;
      if (isNew) notify("onHold", onHold, { held: "submissions", credit, error, waitMs: holdMs });
    },
    /** Counts a success. A probe that succeeds lets submissions that cost the same kind go on. */
    noteSuccess: async (request: object, isProbe: boolean): Promise<void> => {
      unknownInARow = 0;
      const names: HoldName[] = ["all", creditOf(request)];
      if (!isProbe) return;
      await (await connect()).del(...names.flatMap((name) => [holdOf(name), probeOf(name)]));
    },
  };
};
