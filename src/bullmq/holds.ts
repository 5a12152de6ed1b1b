import type { Queue } from "bullmq";
import { type CreditKind, priceOf } from "../contract/actions.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { notify } from "../hooks.ts";

/** A failure holds requests of all workers back. */
export interface HoldEvent {
  /** `"requests"` after a 429. Otherwise `"submissions"`: polls go on. */
  readonly held: "requests" | "submissions";
  /** Kind of credit that ran out, after a 402. Only submissions that cost this kind are held back. */
  readonly credit?: CreditKind | undefined;
  /** A 429, a 401 or a 402, or the last one of three unknown outcomes in a row. */
  readonly error: AnyAdGenError;
  /** Time until the next request, in milliseconds. Of submissions, one is then tried. */
  readonly waitMs: number;
}

/** Time for which others wait for the end of a trial, in milliseconds. Its refusal holds them on. */
const trialMs = 10_000;

/** A refusal holds submissions back at once; of unknown outcomes, the third one in a row does. */
const mostStrikes = 3;

const scripts = {
  /** Keys: limit. Arguments: milliseconds. The longer of two counts; gives what was left. */
  adgenLimit: {
    numberOfKeys: 1,
    lua: `
local left = math.max(0, redis.call('PTTL', KEYS[1]))
if tonumber(ARGV[1]) > left then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) end
return left`,
  },
  /** Keys: strikes, trial. Arguments: number, milliseconds to the next trial. Gives 1 for a hold that is new. */
  adgenStrike: {
    numberOfKeys: 2,
    lua: `
local strikes = redis.call('INCRBY', KEYS[1], ARGV[1])
if strikes < ${mostStrikes} then return 0 end
redis.call('SET', KEYS[2], 1, 'PX', ARGV[2])
return strikes - ARGV[1] < ${mostStrikes} and 1 or 0`,
  },
  /** Keys: any one of the queue. Gives the time of the server that has it, in milliseconds. */
  adgenNow: {
    numberOfKeys: 1,
    lua: `
local now = redis.call('TIME')
return now[1] * 1000 + math.floor(now[2] / 1000)`,
  },
  /** Keys: strikes and trial of each hold. Arguments: milliseconds of a trial. Gives 0 where one may submit. */
  adgenTry: {
    numberOfKeys: 4,
    lua: `
local left = 0
local held = {}
for i = 1, #KEYS, 2 do
  if tonumber(redis.call('GET', KEYS[i]) or 0) >= ${mostStrikes} then
    left = math.max(left, redis.call('PTTL', KEYS[i + 1]))
    table.insert(held, KEYS[i + 1])
  end
end
if left == 0 then for _, trial in ipairs(held) do redis.call('SET', trial, 1, 'PX', ARGV[1]) end end
return left`,
  },
} as const;

const keysOf = (queue: Queue) => {
  const holdOf = (name: string) => [
    queue.toKey(`adgen-strikes${name}`),
    queue.toKey(`adgen-trial${name}`),
  ];
  return {
    limit: queue.toKey("adgen-limit"),
    /** Strikes and trial of all submissions. */
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

/** Makes the holds of a queue. They stand in Redis, so all its workers keep them. */
export const createHolds = (
  queue: Queue,
  holdMs: number,
  onHold: ((event: HoldEvent) => void) | undefined,
) => {
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
    /** Gives the time by the clock that all workers share. */
    now: (): Promise<number> => run("adgenNow", limit),
    /** Gives the time until any request may leave, in milliseconds. */
    leftMs: (): Promise<number> => run("adgenLimit", limit, 0),
    /** Holds all requests back, polls too. */
    limit: async (error: AnyAdGenError, ms: number): Promise<void> => {
      const waitMs = Math.max(1, Math.ceil(ms));
      const leftMs = await run("adgenLimit", limit, waitMs);
      const isNew = waitMs > holdMs && leftMs <= holdMs;
      if (isNew) notify("onHold", onHold, { held: "requests", error, waitMs });
    },
    /** Gives the time until a request may be tried, in milliseconds; one at a time, while held. */
    trialMs: (request: object): Promise<number> => {
      const credit = creditOf(request);
      const own = credit === undefined ? all : purses[credit];
      return run("adgenTry", ...all, ...own, Math.min(holdMs, trialMs));
    },
    /** Counts a failure that may meet each submission. One that will meet them all counts as enough. */
    strike: async (error: AnyAdGenError, isOfAll: boolean, request: object = {}): Promise<void> => {
      // An empty purse says nothing about the other one, nor about what is free.
      const credit = error.code === "payment_required" ? creditOf(request) : undefined;
      const hold = credit === undefined ? all : purses[credit];
      const isNew = await run("adgenStrike", ...hold, isOfAll ? mostStrikes : 1, holdMs);
      if (isNew !== 1) return;
      notify("onHold", onHold, { held: "submissions", credit, error, waitMs: holdMs });
    },
    /** Notes a submission that succeeded: nothing holds back those that cost the same. */
    release: async (request: object): Promise<void> => {
      const credit = creditOf(request);
      const own = credit === undefined ? [] : purses[credit];
      await (await connect()).del(...all, ...own);
    },
  };
};
