import type { Queue } from "bullmq";
import { type CreditKind, priceOf } from "../contract/actions.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { notify } from "../hooks.ts";
import type { ProcessorOptions } from "./processor-options.ts";

/** Time for which all others wait for the end of a probe, in milliseconds. Its refusal holds them on. */
const probeMs = 10_000;

/** Failures that open the breaker: one refusal counts as so many, an unknown outcome as one. */
const mostFailures = 3;

const scripts = {
  /** Keys: limit. Arguments: milliseconds. The longer of two counts. Returns what was left. */
  adgenLimit: {
    numberOfKeys: 1,
    lua: `
local left = math.max(0, redis.call('PTTL', KEYS[1]))
if tonumber(ARGV[1]) > left then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) end
return left`,
  },
  /** Keys: failures, probe. Arguments: number, milliseconds to the next probe. Returns 1 for a new hold. */
  adgenFailure: {
    numberOfKeys: 2,
    lua: `
local failures = redis.call('INCRBY', KEYS[1], ARGV[1])
if failures < ${mostFailures} then return 0 end
redis.call('SET', KEYS[2], 1, 'PX', ARGV[2])
return failures - ARGV[1] < ${mostFailures} and 1 or 0`,
  },
  /** Keys: any one of the queue. Returns the time of the server that has it, in milliseconds. */
  adgenNow: {
    numberOfKeys: 1,
    lua: `
local now = redis.call('TIME')
return now[1] * 1000 + math.floor(now[2] / 1000)`,
  },
  /**
   * Keys: failures and probe of each hold. Arguments: milliseconds of a probe. Returns 0 where nothing
   * is held, and -1 to the one that is tried.
   */
  adgenProbe: {
    numberOfKeys: 4,
    lua: `
local left = 0
local held = {}
for i = 1, #KEYS, 2 do
  if tonumber(redis.call('GET', KEYS[i]) or 0) >= ${mostFailures} then
    left = math.max(left, redis.call('PTTL', KEYS[i + 1]))
    table.insert(held, KEYS[i + 1])
  end
end
if left > 0 then return left end
for _, probe in ipairs(held) do redis.call('SET', probe, 1, 'PX', ARGV[1]) end
return #held > 0 and -1 or 0`,
  },
  /** Keys: failures and probe of each hold. Forgets failures that do not hold anything back. */
  adgenSuccess: {
    numberOfKeys: 4,
    lua: `
for i = 1, #KEYS, 2 do
  if tonumber(redis.call('GET', KEYS[i]) or 0) < ${mostFailures} then redis.call('DEL', KEYS[i]) end
end
return 0`,
  },
} as const;

const keysOf = (queue: Queue) => {
  const holdOf = (name: string) => [
    queue.toKey(`adgen-strikes${name}`),
    queue.toKey(`adgen-trial${name}`),
  ];
  return {
    limit: queue.toKey("adgen-limit"),
    /** Failures and probe of all submissions. */
    all: holdOf(""),
    /** Those of the submissions that cost one kind of credit. */
    image: holdOf("-image"),
    video: holdOf("-video"),
  };
};

/** Kind of credit that a request costs; `undefined` for a free or an unknown action. */
const creditOf = (request: object): CreditKind | undefined => priceOf(request).credit ?? undefined;

/**
 * Lets a queue go on that a failure holds back: as when credits were bought, or a key was mended.
 * What was put off notices it within `holdMs`.
 *
 * @param queue Queue of BullMQ.
 * @example
 * await resume(new Queue("ads", { connection }));
 */
export const resume = async (queue: Queue): Promise<void> => {
  const { limit, ...holds } = keysOf(queue);
  await (await queue.getBackend().client).del(limit, ...Object.values(holds).flat());
};

/** A circuit breaker for each kind of credit, and one for all. They stand in Redis, for all workers. */
export const createHolds = (queue: Queue, holdMs: number, onHold: ProcessorOptions["onHold"]) => {
  const { limit, all, ...purses } = keysOf(queue);
  let prepared: unknown;

  const connect = async () => {
    const client = await queue.getBackend().client;
    if (client !== prepared) {
      for (const [name, script] of Object.entries(scripts)) client.defineCommand(name, script);
    }
    prepared = client;
    return client;
  };
  const run = async (name: keyof typeof scripts, ...words: unknown[]): Promise<number> =>
    Number(await (await connect()).runCommand(name, words));

  return {
    /** Time by the clock that all workers share. */
    now: (): Promise<number> => run("adgenNow", limit),
    /** Time until any request may leave, in milliseconds. */
    leftMs: (): Promise<number> => run("adgenLimit", limit, 0),
    /** Holds all requests back, polls too. */
    limit: async (error: AnyAdGenError, ms: number): Promise<void> => {
      const waitMs = Math.max(1, Math.ceil(ms));
      const leftMs = await run("adgenLimit", limit, waitMs);
      const isNew = waitMs > holdMs && leftMs <= holdMs;
      if (isNew) notify("onHold", onHold, { held: "requests", error, waitMs });
    },
    /**
     * Time until a submission may be tried, in milliseconds. While held (half-open), one at a time is,
     * and gets -1; where nothing is held, each gets 0.
     */
    probeInMs: (request: object): Promise<number> => {
      const credit = creditOf(request);
      const own = credit === undefined ? all : purses[credit];
      return run("adgenProbe", ...all, ...own, Math.min(holdMs, probeMs));
    },
    /** Counts a failure that may meet each submission. One that will meet them all counts as enough. */
    countFailure: async (
      error: AnyAdGenError,
      isOfAll: boolean,
      request: object = {},
    ): Promise<void> => {
      // An empty purse says nothing about the other one, nor about what is free.
      const credit = error.code === "payment_required" ? creditOf(request) : undefined;
      const hold = credit === undefined ? all : purses[credit];
      const isNew = await run("adgenFailure", ...hold, isOfAll ? mostFailures : 1, holdMs);
      if (isNew !== 1) return;
      notify("onHold", onHold, { held: "submissions", credit, error, waitMs: holdMs });
    },
    /**
     * Notes a submission that succeeded. As a probe it proves that nothing holds back those that cost
     * the same. One that had left before a hold began proves nothing against it.
     */
    noteSuccess: async (request: object, isProbe: boolean): Promise<void> => {
      const credit = creditOf(request);
      const own = credit === undefined ? all : purses[credit];
      if (isProbe) await (await connect()).del(...all, ...own);
      else await run("adgenSuccess", ...all, ...own);
    },
  };
};
