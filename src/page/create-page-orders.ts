import { type JobWatch, watchJob } from "adgen-sdk";
import type { Action } from "../contract/actions.ts";
import type { JobRequest } from "../contract/jobs.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { isObject, refuseArgument, refuseWrite } from "../options/rules.ts";
import type { JobRef } from "../request/job-ref.ts";
import { nameRule, type PageOrdersOptions, resolvePageOptions } from "./page-options.ts";
import type { PageOrder, PageOrders } from "./page-order.ts";

/** An order as it stands in the storage. */
interface KeptOrder {
  readonly version: 1;
  /** Id by which the proxy makes it once. */
  readonly id: string;
  /** Time of the order, by `Date.now()`. */
  readonly at: number;
  readonly action: string;
  /** Distinguishes its request from others. */
  readonly digest: string;
  /** What to send again: dropped once there is a job, since pictures in it have megabytes. */
  readonly request?: JobRequest | undefined;
  readonly job_id?: string | undefined;
  /** Its job has finished. */
  readonly isOver?: boolean;
}

const isKeptOrder = (value: unknown): value is KeptOrder =>
  isObject(value) &&
  value["version"] === 1 &&
  typeof value["id"] === "string" &&
  typeof value["at"] === "number" &&
  (value["job_id"] ?? value["request"]) !== undefined;

/** `crypto.randomUUID` is missing in pages without https. */
const createId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");

const textOf = (request: object): string => {
  try {
    return JSON.stringify(request);
  } catch (cause) {
    return refuseWrite("request cannot be written as JSON", cause);
  }
};

/** Distinguishes a request from others; pages without https have no SHA-256. */
const digestOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(text));
  return digest === undefined ? text : String(new Uint32Array(digest));
};

/** A slot in this page. */
interface Slot {
  order: PageOrder;
  /** The order that is followed, or was last. */
  id?: string | undefined;
  run?: Promise<PageOrder> | undefined;
  stop: AbortController;
  watch?: JobWatch | undefined;
}

const none: PageOrder = Object.freeze({ state: "none" });

/**
 * Creates the orders of a page that survive a reload, for one signed-in user. Each order lives in a
 * slot that you name. It is kept in the storage before it is sent, so that the page that comes back
 * goes on where it was left: in the submission, in the wait, or after the end. Neither a reload, nor a
 * second click or tab pays twice.
 *
 * Any framework renders it: `subscribe` and `snapshot` are what React's `useSyncExternalStore` takes.
 *
 * @throws `ConfigError` (`config`) that names an option which is missing or makes no sense.
 * @see The guide "Duplicate requests and idempotency keys"
 * @example
 * const client = createClient({ baseUrl: "/adgen", apiKey: null });
 * const orders = createPageOrders({ client, user: "anna" });
 * orders.subscribe(() => console.log(orders.snapshot("hero")));
 * await orders.start("hero", { action: "generate-ad", prompt: "Lemonade" });
 */
export const createPageOrders = <const S extends ClientSchemas = ClientSchemas>(
  options: PageOrdersOptions<S>,
): PageOrders<S> => {
  const { client, user, storage: own, resendMs, poll } = resolvePageOptions(options);
  const slots = new Map<string, Slot>();
  const listeners = new Set<() => void>();
  let isClosed = false;
  const keyOf = (name: string): string =>
    `adgen-sdk:order:${encodeURIComponent(user)}:${encodeURIComponent(name)}`;

  const use = <Value>(what: string, work: (storage: Storage) => Value): Value => {
    try {
      return work((own ?? globalThis.localStorage) as Storage);
    } catch (cause) {
      const message = `The page's storage cannot ${what}: nothing was sent`;
      throw makeError("store", message, { cause, outcome: "not-sent" });
    }
  };
  const read = (name: string): KeptOrder | undefined => {
    const text = use("be read", (storage) => storage.getItem(keyOf(name))) ?? "null";
    let kept: unknown;
    try {
      kept = JSON.parse(text);
    } catch {
      // The check below refuses it.
    }
    if (kept === null || isKeptOrder(kept)) return kept ?? undefined;
    const what = `The order of ${JSON.stringify(name)} in the page's storage is damaged, and may have been paid`;
    throw makeError("store", `${what}; look at the list of jobs, then forget it`, {
      outcome: "not-sent",
    });
  };
  const write = (name: string, kept: KeptOrder): KeptOrder => {
    const text = JSON.stringify(kept);
    const what = `keep an order of ${text.length} characters`;
    use(what, (storage) => storage.setItem(keyOf(name), text));
    return kept;
  };
  const remove = (name: string): void =>
    use("be changed", (storage) => storage.removeItem(keyOf(name)));
  /** Changes an order, unless another is in its slot by now. What the storage refuses, it stays. */
  const change = (
    name: string,
    { id }: KeptOrder,
    change: Partial<KeptOrder> | undefined,
  ): void => {
    try {
      const there = read(name);
      if (there?.id !== id) return;
      if (change === undefined) remove(name);
      else write(name, { ...there, ...change });
    } catch {
      // The page that comes back asks again.
    }
  };

  const slotOf = (name: string): Slot => {
    nameRule(name, "slot", refuseArgument);
    const slot = slots.get(name) ?? { order: none, stop: new AbortController() };
    slots.set(name, slot);
    return slot;
  };
  const requireOpen = (): void => {
    if (isClosed) refuseWrite("these orders are closed: create new ones for the signed-in user");
  };
  const show = (slot: Slot, order: PageOrder): PageOrder => {
    slot.order = Object.freeze(order);
    for (const listener of listeners) listener();
    return slot.order;
  };
  /** Ends what runs in a slot; what it does next shows nothing. */
  const stop = (slot: Slot): void => {
    slot.stop.abort();
    Object.assign(slot, { stop: new AbortController(), run: undefined, watch: undefined });
  };
  const failed = (slot: Slot, error: unknown): PageOrder => {
    if (!isAdGenError(error) || error.code !== "store") throw error;
    return show(slot, { state: "error", error, canResume: false });
  };

  /** Submits an order that has no job, and waits for the job. */
  const run = async (
    name: string,
    slot: Slot,
    order: KeptOrder,
    isNew: boolean,
    signal: AbortSignal,
  ): Promise<PageOrder> => {
    const { action, request, id, at } = order;
    const showOwn = (next: PageOrder) => (signal.aborted ? slot.order : show(slot, next));
    let { job_id } = order;
    // Forgotten or closed just now: nobody would see what is paid.
    if (signal.aborted) return slot.order;
    try {
      if (job_id === undefined) {
        if (Math.abs(Date.now() - at) >= resendMs) return showOwn({ state: "expired", action, at });
        showOwn({ state: "submitting", action });
        // No signal: the answer to what has left must come home.
        ({ job_id } = await client.jobs.submit(request as JobRequest, { once: id }));
        change(name, order, { job_id, request: undefined });
      }
      showOwn({ state: "waiting", action, job_id });
      const ref = { job_id, action } as JobRef<Action>;
      if (!signal.aborted) slot.watch = watchJob(client, ref, { ...poll, signal });
      for await (const job of signal.aborted ? [] : (slot.watch ?? [])) {
        if (job.status === "completed" || job.status === "failed") {
          change(name, order, { isOver: true });
          showOwn({ state: job.status, action, job_id, job } as PageOrder);
        } else showOwn({ state: "waiting", action, job_id, job });
      }
      return slot.order;
    } catch (thrown) {
      if (!isAdGenError(thrown)) throw thrown;
      const error: AnyAdGenError = thrown;
      const { outcome } = error;
      // An earlier copy may have left, before this page was opened.
      const isFree =
        job_id === undefined && (outcome === "refused" || (isNew && outcome === "not-sent"));
      if (isFree) change(name, order, undefined);
      return showOwn({ state: "error", error, canResume: !isFree, action, job_id });
    }
  };

  const follow = (name: string, slot: Slot, order: KeptOrder, isNew: boolean) => {
    if (slot.run !== undefined && slot.id === order.id) return slot.run;
    stop(slot);
    const { stop: own } = slot;
    // A listener that asks for the order meets the run.
    slot.run = Promise.resolve()
      .then(() => run(name, slot, order, isNew, own.signal))
      .finally(() => {
        if (slot.stop === own) Object.assign(slot, { run: undefined, watch: undefined });
      });
    slot.id = order.id;
    return slot.run;
  };

  /** Puts an order into a slot, or gives the one that is there, where it is the same and not over. */
  const begin = (name: string, digest: string, request: JobRequest) => {
    const there = read(name);
    if (there === undefined || there.isOver) {
      const { action } = request;
      const order = {
        version: 1,
        id: createId(),
        at: Date.now(),
        action,
        digest,
        request,
      } as const;
      return { order: write(name, order), isNew: true };
    }
    if (there.digest === digest) return { order: there, isNew: false };
    return refuseWrite(
      `slot ${JSON.stringify(name)} holds another order, which is not over: wait for it, or ` +
        "forget it, or take another slot",
    );
  };

  const orders: PageOrders = {
    start: async (name, given) => {
      const slot = slotOf(name);
      requireOpen();
      if (!isObject(given)) refuseWrite("start takes a slot and a request: an object");
      const text = textOf(given);
      // Not of the JSON: the client refuses what JSON changes, such as NaN, in its own words.
      const request = structuredClone(given) as JobRequest;
      const digest = await digestOf(text);
      try {
        const { order, isNew } = begin(name, digest, request);
        // It stays in the storage, for the page that comes back.
        if (isClosed) return slot.order;
        return follow(name, slot, order, isNew);
      } catch (error) {
        return failed(slot, error);
      }
    },
    resume: async (name) => {
      const slot = slotOf(name);
      requireOpen();
      try {
        const order = read(name);
        if (order !== undefined) return follow(name, slot, order, false);
        stop(slot);
        return slot.order.state === "none" ? slot.order : show(slot, none);
      } catch (error) {
        return failed(slot, error);
      }
    },
    forget: async (name) => {
      const slot = slotOf(name);
      remove(name);
      stop(slot);
      show(slot, none);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: (name) => slotOf(name).order,
    progress: (name) => slotOf(name).watch?.progress,
    close: () => {
      isClosed = true;
      listeners.clear();
      for (const slot of slots.values()) stop(slot);
    },
  } as PageOrders;
  // The client has checked each result by its schema for the action.
  return orders as PageOrders<S>;
};
