import type { JobRequest } from "../contract/jobs.ts";
import { makeError } from "../errors/make-error.ts";
import { isObject, refuseWrite } from "../options/rules.ts";
import type { PageStorage } from "./page-options.ts";

/**
 * How far an order came. `sending`: it may have been paid, and has no answer. `free`: it was refused,
 * or never sent. `waiting`: it has a job. `over`: its job has finished.
 */
type Phase = "sending" | "free" | "waiting" | "over";

/** An order as it stands in the storage. */
export interface KeptOrder {
  readonly version: 1;
  /** Id by which the proxy makes it once. */
  readonly id: string;
  /** Time of the order, by `Date.now()`. */
  readonly at: number;
  readonly phase: Phase;
  readonly action: string;
  /** Distinguishes its request from others. */
  readonly digest: string;
  /** What to send again: dropped once there is a job, since pictures in it have megabytes. */
  readonly request?: JobRequest | undefined;
  readonly job_id?: string | undefined;
}

const storeError = (what: string, cause: unknown) =>
  makeError("store", `${what}: nothing was sent`, { cause, outcome: "not-sent" });

const isKeptOrder = (value: unknown): value is KeptOrder =>
  isObject(value) &&
  value["version"] === 1 &&
  typeof value["id"] === "string" &&
  typeof value["at"] === "number" &&
  typeof (value["phase"] === "sending" ? value["request"] : value["id"]) !== "undefined";

/** `crypto.randomUUID` is missing in pages without https. */
const createId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");

/** Distinguishes a request from others; pages without https have no SHA-256. */
const digestOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(text));
  return digest === undefined ? text : String(new Uint32Array(digest));
};

interface LockManager {
  request<Value>(name: string, work: () => Value): Promise<Awaited<Value>>;
}

/** Does work that no other tab does at the same time. Pages without https have no locks. */
const locked = async <Value>(name: string, work: () => Value): Promise<Awaited<Value>> => {
  const { navigator } = globalThis as { navigator?: { readonly locks?: LockManager } };
  // Node 24 keeps the lock of a function that throws, and not that of a promise.
  return await (navigator?.locks?.request(name, async () => work()) ?? work());
};

/** The orders of a user in the storage of a page, one for each slot. */
export const createKeptOrders = (
  prefix: string,
  own: PageStorage | undefined,
  resendMs: number,
) => {
  const keyOf = (slot: string): string => `${prefix}${encodeURIComponent(slot)}`;

  const use = <Value>(what: string, work: (storage: PageStorage) => Value): Value => {
    try {
      const storage = own ?? globalThis.localStorage;
      return work(storage);
    } catch (cause) {
      throw storeError(`The page's storage cannot ${what}`, cause);
    }
  };

  const read = (slot: string): KeptOrder | undefined => {
    const text = use("be read", (storage) => storage.getItem(keyOf(slot)));
    if (text === null || text === undefined) return undefined;
    let kept: unknown;
    try {
      kept = JSON.parse(text);
    } catch {
      // The check below refuses it.
    }
    if (isKeptOrder(kept)) return kept;
    const what = `The order of ${JSON.stringify(slot)} in the page's storage is damaged, and may have been paid`;
    throw storeError(`${what}; look at the list of jobs, then forget it`, undefined);
  };

  const write = (slot: string, kept: KeptOrder): KeptOrder => {
    const text = JSON.stringify(kept);
    const what = `keep an order of ${text.length} characters`;
    use(what, (storage) => storage.setItem(keyOf(slot), text));
    return kept;
  };

  const isTooOld = ({ at }: KeptOrder): boolean => Math.abs(Date.now() - at) >= resendMs;

  return {
    keyOf,
    read,
    isTooOld,
    /**
     * Puts an order into a slot, or gives the one that is there, where it is the same and not over.
     *
     * @throws InvalidRequestError for another order; StoreError
     */
    begin: async (slot: string, given: JobRequest) => {
      const text = JSON.stringify(given);
      // Not of the JSON: the client refuses what JSON changes, such as NaN, in its own words.
      const request = structuredClone(given);
      const digest = await digestOf(text);
      return locked(keyOf(slot), () => {
        const there = read(slot);
        const isSame = there?.digest === digest;
        if (there?.phase === "sending" || there?.phase === "waiting") {
          if (isSame) return { kept: there, isNew: false };
          return refuseWrite(
            `slot ${JSON.stringify(slot)} holds another order, which is not over: wait for it, or ` +
              "forget it, or take another slot",
          );
        }
        // An id that is free may have been sent by another tab: the same order keeps it.
        const isAgain = there?.phase === "free" && isSame && !isTooOld(there);
        const { id, at } = isAgain ? there : { id: createId(), at: Date.now() };
        const { action } = request;
        const kept = { version: 1, id, at, phase: "sending", action, digest, request } as const;
        return { kept: write(slot, kept), isNew: true };
      });
    },
    /** Changes an order, unless another is in its slot by now. What the storage refuses, it stays. */
    change: (slot: string, { id }: KeptOrder, change: Partial<KeptOrder>): Promise<void> =>
      locked(keyOf(slot), () => {
        const there = read(slot);
        if (there?.id === id) write(slot, { ...there, ...change });
      }).catch(() => {}),
    remove: (slot: string): Promise<void> =>
      locked(keyOf(slot), () => use("be changed", (storage) => storage.removeItem(keyOf(slot)))),
  };
};
