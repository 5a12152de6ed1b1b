import type { Queue } from "bullmq";
import type { AnyAdGenError } from "../client/errors/errors.ts";
import { callObserver } from "../client/options/hooks.ts";
import { type CreditKind, documentedPriceOf } from "../contract/actions.ts";
import type { ProcessorOptions } from "./processor-options.ts";

/** Number of unknown outcomes in a row after which a worker throttles all submissions. */
const maxUnknown = 3;

/**
 * Key: the probe. Argument: its time in milliseconds. Returns 0 to the caller that may send the
 * probe, and otherwise the milliseconds until the next probe.
 */
const probeScript = `
if redis.call('SET', KEYS[1], 1, 'PX', ARGV[1], 'NX') then return 0 end
return math.max(1, redis.call('PTTL', KEYS[1]))`;

/** What is throttled: all submissions, or the submissions that cost one kind of credit. */
type ThrottleName = "all" | CreditKind;

const keysOf = (queue: Queue) => ({
  /** Key that holds the time until which no request may be sent. */
  limit: queue.toKey("adgen-limit"),
  /** Key that exists while these submissions are throttled. */
  throttleOf: (name: ThrottleName) => queue.toKey(`adgen-throttle-${name}`),
  /** Key that expires when the next submission may be sent as a probe. */
  probeOf: (name: ThrottleName) => queue.toKey(`adgen-probe-${name}`),
});

/** Returns the kind of credit that a request costs, or "all" for a free or an unknown action. */
const creditOf = (request: object): ThrottleName => documentedPriceOf(request).credit ?? "all";

/**
 * Ends the throttling of a queue, for example after you bought credits or replaced a key. Delayed
 * jobs go on within `throttleMs`.
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

/**
 * Creates the throttle of a queue. It holds back all requests, all submissions, or the submissions
 * of one kind of credit. Its state is in Redis, for all workers.
 */
export const createThrottle = (
  queue: Queue,
  throttleMs: number,
  onThrottle: ProcessorOptions["onThrottle"],
) => {
  const { limit, throttleOf, probeOf } = keysOf(queue);
  let unknownInARow = 0;

  const connect = async () => {
    const client = await queue.getBackend().client;
    client.defineCommand("adgenProbe", { numberOfKeys: 1, lua: probeScript });
    return client;
  };
  const leftMs = async (): Promise<number> => {
    const until = await (await connect()).get(limit);
    return Math.max(0, Number(until) - Date.now());
  };

  return {
    /** Returns the time until a request may be sent, in milliseconds. */
    leftMs,
    /** Throttles all requests, polls included, for `ms` milliseconds. */
    limit: async (error: AnyAdGenError, ms: number): Promise<void> => {
      const waitMs = Math.max(1, Math.ceil(ms));
      const throttledMs = await leftMs();
      if (waitMs <= throttledMs) return;
      await (await connect()).set(limit, Date.now() + waitMs, { PX: waitMs });
      const isNew = waitMs > throttleMs && throttledMs <= throttleMs;
      if (isNew) callObserver("onThrottle", onThrottle, { throttled: "requests", error, waitMs });
    },
    /**
     * Decides whether a submission may be sent. If submissions are throttled, one of them is sent
     * as a probe. Returns the time to wait in milliseconds, and whether the submission is the
     * probe.
     */
    takeProbe: async (request: object): Promise<{ waitMs: number; isProbe: boolean }> => {
      const client = await connect();
      let isProbe = false;
      for (const name of new Set<ThrottleName>(["all", creditOf(request)])) {
        if ((await client.get(throttleOf(name))) === null) continue;
        const waitMs = Number(await client.runCommand("adgenProbe", [probeOf(name), throttleMs]));
        if (waitMs > 0) return { waitMs, isProbe: false };
        isProbe = true;
      }
      return { waitMs: 0, isProbe };
    },
    /**
     * Counts a failed request. It throttles submissions at once if all of them would fail the same
     * way, and otherwise after several unknown outcomes in a row.
     */
    countFailure: async (
      error: AnyAdGenError,
      isOfAll: boolean,
      request: object = {},
    ): Promise<void> => {
      if (!isOfAll && ++unknownInARow < maxUnknown) return;
      const client = await connect();
      // Without image credits, an account may still make videos and use free actions.
      const name = error.code === "payment_required" ? creditOf(request) : "all";
      const isNew = (await client.get(throttleOf(name))) === null;
      await client.set(probeOf(name), 1, { PX: throttleMs });
      await client.set(throttleOf(name), 1);
      const credit = name === "all" ? undefined : name;
      if (isNew)
        callObserver("onThrottle", onThrottle, {
          throttled: "submissions",
          credit,
          error,
          waitMs: throttleMs,
        });
    },
    /**
     * Records a successful submission. A successful probe ends the throttling of all submissions
     * and of its kind of credit.
     */
    noteSuccess: async (request: object, isProbe: boolean): Promise<void> => {
      unknownInARow = 0;
      const names: ThrottleName[] = ["all", creditOf(request)];
      if (!isProbe) return;
      await (await connect()).del(...names.flatMap((name) => [throttleOf(name), probeOf(name)]));
    },
  };
};
