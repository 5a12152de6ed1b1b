import { refuse } from "./answer.ts";
import type { ProxyStore, SetOptions } from "./proxy-store.ts";

/** A value, and the time after which it is forgotten. */
interface TimedValue {
  readonly value: string;
  readonly ttlMs: number;
}

/** A store whose failures are refusals, and which does not lose what must be written. */
export interface SteadyStore extends Pick<ProxyStore, "get" | "setIfAbsent" | "list" | "add"> {
  /**
   * Writes a value where there is none, before the service is asked. A write that has failed may be
   * carried out late: then the other value takes its place.
   */
  begin(key: string, begun: TimedValue, ifLate: TimedValue): Promise<boolean>;
  /** Writes a value after the service has answered; a store that fails gets it later. */
  keep(key: string, value: string, options: SetOptions): Promise<void>;
  /** Removes a value after the service has answered; a store that fails does so later. */
  forget(key: string, list: string): Promise<void>;
  /**
   * Writes a value after the service has answered, where there is none; a store that fails gets it
   * later. Until then an earlier value that the store turns out to have counts.
   *
   * @returns The value that is there now: this one, or an earlier one. `undefined` where the store
   * has an earlier one, and does not tell it.
   */
  claim(key: string, value: string, options: SetOptions): Promise<string | undefined>;
  /** Resolves when nothing is left that the store gets later. */
  idle(): Promise<unknown>;
}

/** Waits before each further attempt to write, in milliseconds: ten minutes in all. */
const retriesMs = [100, 300, 1_000, 3_000, ...Array<number>(60).fill(10_000)];

/** Waits before each look for a write that has failed: seven minutes in all. */
const latePausesMs = [100, 300, 1_000, 3_000, 10_000, 30_000, 90_000, 270_000];

/** Waits; a process with nothing else to do may end meanwhile. */
const pause = (ms: number, setTimeout: typeof globalThis.setTimeout): Promise<void> =>
  new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    (timer as { unref?: () => void }).unref?.();
  });

/** Runs something, and rejects when it takes too long. */
export const within = async <T>(
  ms: number,
  what: string,
  run: () => T | Promise<T>,
): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([(async () => run())(), late]);
  } finally {
    clearTimeout(timer);
  }
};

const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isText = (value: unknown): boolean => typeof value === "string";

/** A value that the store has not taken yet. */
interface Pending {
  readonly value: string | undefined;
  /** It counts only where the store has none. */
  readonly isClaim?: true;
  readonly write: () => Promise<unknown>;
}

/** Makes a store steady: each step is bounded and checked, and none that fails opens a door. */
export const createSteadyStore = (
  store: ProxyStore,
  timeoutMs: number,
  report: (error: unknown) => void,
): SteadyStore => {
  /** This process reads them as written, claims where the store has no other value. */
  const pending = new Map<string, Pending>();
  const later = new Set<Promise<void>>();
  // Fake timers of a later test are not for the writes that an earlier one has left.
  const { setTimeout } = globalThis;

  const step = async <T>(
    name: keyof ProxyStore,
    isRight: (value: T) => boolean,
    run: () => Promise<T>,
  ): Promise<T> => {
    try {
      const value = await within(timeoutMs, `store.${name}`, run);
      if (isRight(value)) return value;
      throw new Error(`store.${name} gave something else than ProxyStore says`);
    } catch (error) {
      report(error);
      return refuse(503, "the proxy's store cannot be reached, so this request was not sent");
    }
  };

  const tryToWrite = async (key: string, entry: Pending): Promise<boolean> => {
    try {
      await within(timeoutMs, "store", entry.write);
    } catch (error) {
      report(error);
      return false;
    }
    if (pending.get(key) === entry) pending.delete(key);
    return true;
  };

  const writeLater = async (key: string, entry: Pending): Promise<void> => {
    for (const ms of retriesMs) {
      await pause(ms, setTimeout);
      if (pending.get(key) !== entry || (await tryToWrite(key, entry))) return;
    }
    pending.delete(key);
    report(new Error(`the store has not taken ${key} for ten minutes: the proxy gives it up`));
  };

  const doLater = (work: Promise<void>): void => {
    later.add(work);
    void work.finally(() => later.delete(work));
  };

  const settle = async (key: string, entry: Pending): Promise<void> => {
    pending.set(key, entry);
    if (!(await tryToWrite(key, entry))) doLater(writeLater(key, entry));
  };

  const replaceIfLate = async (
    key: string,
    begun: string,
    { value, ttlMs }: TimedValue,
  ): Promise<void> => {
    for (const ms of latePausesMs) {
      await pause(ms, setTimeout);
      try {
        const there = await within(timeoutMs, "store.get", () => store.get(key));
        if (there === undefined) continue;
        if (there !== begun) return;
        await within(timeoutMs, "store.set", () => store.set(key, value, { ttlMs }));
        return;
      } catch {
        // The store is still away, which was reported.
      }
    }
  };

  const steady: SteadyStore = {
    async get(key) {
      const entry = pending.get(key);
      if (entry !== undefined && !entry.isClaim) return entry.value;
      const isRight = (value: unknown) => value === undefined || isText(value);
      return (await step("get", isRight, () => store.get(key))) ?? entry?.value;
    },
    setIfAbsent: async (key, value, options) =>
      pending.get(key)?.value === undefined &&
      step("setIfAbsent", isBoolean, () => store.setIfAbsent(key, value, options)),
    list: (list, limit) =>
      step(
        "list",
        (keys) => Array.isArray(keys) && keys.every(isText),
        () => store.list(list, limit),
      ),
    add: (key, amount, max, ttlMs) =>
      step("add", isBoolean, () => store.add(key, amount, max, ttlMs)),
    async begin(key, begun, ifLate) {
      try {
        return await steady.setIfAbsent(key, begun.value, { ttlMs: begun.ttlMs });
      } catch (refusal) {
        doLater(replaceIfLate(key, begun.value, ifLate));
        throw refusal;
      }
    },
    keep: (key, value, options) =>
      settle(key, { value, write: () => store.set(key, value, options) }),
    forget: (key, list) => settle(key, { value: undefined, write: () => store.remove(key, list) }),
    async claim(key, value, options) {
      let isTaken = false;
      const write = async () => {
        isTaken = (await store.setIfAbsent(key, value, options)) === false;
      };
      try {
        if (await steady.setIfAbsent(key, value, options)) return value;
      } catch {
        await settle(key, { value, isClaim: true, write });
        if (!isTaken) return value;
      }
      return steady.get(key).catch(() => undefined);
    },
    idle: () => Promise.all(later),
  };
  return steady;
};
