import type { Queue } from "bullmq";
import type { AnyAdGenError } from "../client/errors/errors.ts";
import { notify } from "../client/options/hooks.ts";
import { type CreditKind, priceOf } from "../contract/actions.ts";
import type { ProcessorOptions } from "./processor-options.ts";

/** Unknown outcomes in a row after which a worker holds all submissions back. */
const maxUnknown = 3;

/** Keys: trial. Arguments: milliseconds. Returns 0 to the one that may try, else the time until the next. */
const takeProbe = `
if redis.call('SET', KEYS[1], 1, 'PX', ARGV[1], 'NX') then return 0 end
return math.max(1, redis.call('PTTL', KEYS[1]))`;

/** Names of what is held back: all submissions, or those that cost one kind of credit. */
type ThrottleName = "all" | CreditKind;

const keysOf = (queue: Queue) => ({
  /** Time until which no request may leave. */
  limit: queue.toKey("adgen-limit"),
  /** There while something is held back. */
  throttleOf: (name: ThrottleName) => queue.toKey(`adgen-throttle-${name}`),
  /** Expires when the next submission may be tried. */
  probeOf: (name: ThrottleName) => queue.toKey(`adgen-probe-${name}`),
});

/** Kind of credit that a request costs; all for a free or an unknown action. */
const creditOf = (request: object): ThrottleName => priceOf(request).credit ?? "all";

/**
 * Lets a queue go on that a failure holds back: as when credits were bought, or a key was mended.
 * What was put off notices it within `throttleMs`.
 *
 * @param queue Queue of BullMQ.
 * @example
 * await resume(new Queue("ads", { connection }));
 */
export const resume = async (queue: Queue): Promise<void> => {
  const { limit, throttleOf, probeOf } = keysOf(queue);
  const names = ["all", "image", "video"] as const;
  const client = await queue.getBackend().client;
  await client.del(limit, ...names.flatMap((name) => [throttleOf(name), probeOf(name)]));
};

/** Holds all submissions back, or those of one kind of credit: in Redis, for all workers. */
export const createThrottle = (
  queue: Queue,
  throttleMs: number,
  onThrottle: ProcessorOptions["onThrottle"],
) => {
  const { limit, throttleOf, probeOf } = keysOf(queue);
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
    /** Time until any request may leave, in milliseconds. */
    leftMs,
    /** Holds all requests back, polls too. */
    limit: async (error: AnyAdGenError, ms: number): Promise<void> => {
      const waitMs = Math.max(1, Math.ceil(ms));
      const throttledMs = await leftMs();
      if (waitMs <= throttledMs) return;
      await (await connect()).set(limit, Date.now() + waitMs, { PX: waitMs });
      const isNew = waitMs > throttleMs && throttledMs <= throttleMs;
      if (isNew) notify("onThrottle", onThrottle, { throttled: "requests", error, waitMs });
    },
    /**
     * Time until a submission may be tried, in milliseconds. While held, one at a time is, and gets -1;
     * where nothing is held, each gets 0.
     */
    probeInMs: async (request: object): Promise<number> => {
      const client = await connect();
      let probeInMs = 0;
      for (const name of new Set<ThrottleName>(["all", creditOf(request)])) {
        if ((await client.get(throttleOf(name))) === null) continue;
        const waitMs = Number(await client.runCommand("adgenProbe", [probeOf(name), throttleMs]));
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
      const isNew = (await client.get(throttleOf(name))) === null;
      await client.set(probeOf(name), 1, { PX: throttleMs });
      await client.set(throttleOf(name), 1);
      const credit = name === "all" ? undefined : name;
      if (isNew)
        notify("onThrottle", onThrottle, {
          throttled: "submissions",
          credit,
          error,
          waitMs: throttleMs,
        });
    },
    /** Notes a submission that succeeded. As a probe it ends what holds back those that cost the same. */
    noteSuccess: async (request: object, isProbe: boolean): Promise<void> => {
      unknownInARow = 0;
      const names: ThrottleName[] = ["all", creditOf(request)];
      if (!isProbe) return;
      await (await connect()).del(...names.flatMap((name) => [throttleOf(name), probeOf(name)]));
    },
  };
};
