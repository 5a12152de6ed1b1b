import { type JobWatch, watchJob } from "adgen-sdk";
import type { Action } from "../contract/actions.ts";
import type { JobRequest } from "../contract/jobs.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { isObject, refuseArgument, refuseOption, refuseWrite } from "../options/rules.ts";
import { memoryOf } from "../request/job-memory.ts";
import type { JobRef } from "../request/job-ref.ts";
import { createKeptOrders, type KeptOrder } from "./kept-orders.ts";
import { nameRule, type PageOrdersOptions, resolvePageOptions } from "./page-options.ts";
import type { PageOrder, PageOrders } from "./page-order.ts";

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

/** An error of this library; throws any other. */
const requireOwn = (error: unknown): AnyAdGenError => {
  if (isAdGenError(error)) return error;
  throw error;
};

/**
 * Creates the orders of a page that survive a reload, for one signed-in user. Each order lives in a
 * slot that you name. It is kept in the storage before it is sent, so that the page that comes back
 * goes on where it was left: in the submission, in the wait, or after the end. Neither a reload, nor a
 * second click or tab pays twice.
 *
 * Any framework renders it: `subscribe` and `snapshot` are what React's `useSyncExternalStore` takes.
 *
 * @throws `ConfigError` (`config`) that names an option which is missing or makes no sense, or for a
 * client that holds an API key.
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
  const { client, user, storage, resendMs, poll } = resolvePageOptions(options);
  const memory = memoryOf(client.jobs);
  if (memory?.hasProxy === false) {
    return refuseOption(
      "createPageOrders needs a client without a key: createClient({ baseUrl, apiKey: null }), with " +
        "the address of your proxy, which makes each order once",
    );
  }
  // Two proxies below one origin share a storage.
  const parts = [String(memory?.baseUrl), user].map(encodeURIComponent).join(":");
  const kept = createKeptOrders(`adgen-sdk:order:${parts}:`, storage, resendMs);
  const slots = new Map<string, Slot>();
  const listeners = new Set<() => void>();
  let isClosed = false;

  const requireOpen = (): void => {
    if (isClosed) refuseWrite("these orders are closed: create new ones for the signed-in user");
  };

  const slotOf = (name: string): Slot => {
    nameRule(name, "slot", refuseArgument);
    const slot = slots.get(name) ?? { order: none, stop: new AbortController() };
    slots.set(name, slot);
    return slot;
  };

  const show = (slot: Slot, order: PageOrder): PageOrder => {
    slot.order = Object.freeze(order);
    for (const listener of listeners) listener();
    return slot.order;
  };

  /** Ends what runs in a slot; what it does next shows nothing. */
  const stop = (slot: Slot): void => {
    slot.stop.abort();
    slot.stop = new AbortController();
    slot.run = undefined;
    slot.watch = undefined;
  };

  /** Submits an order that has no job, and waits for the job. */
  const run = async (
    name: string,
    slot: Slot,
    order: KeptOrder,
    isNew: boolean,
    signal: AbortSignal,
  ) => {
    const { action, request } = order;
    const showOwn = (next: PageOrder) => (signal.aborted ? slot.order : show(slot, next));
    let { job_id } = order;
    // Forgotten or closed just now: nobody would see what is paid.
    if (signal.aborted) return slot.order;
    try {
      if (job_id === undefined) {
        if (kept.isTooOld(order)) return showOwn({ state: "expired", action, at: order.at });
        showOwn({ state: "submitting", action });
        // No signal: the answer to what has left must come home.
        const job = await client.jobs.submit(request as JobRequest, { once: order.id });
        job_id = job.job_id;
        await kept.change(name, order, { phase: "waiting", job_id, request: undefined });
      }
      if (signal.aborted) return slot.order;
      showOwn({ state: "waiting", action, job_id });
      const ref = { job_id, action } as JobRef<Action>;
      slot.watch = watchJob(client, ref, { ...poll, signal });
      for await (const job of slot.watch) {
        if (job.status !== "completed" && job.status !== "failed") {
          showOwn({ state: "waiting", action, job_id, job });
          continue;
        }
        await kept.change(name, order, { phase: "over" });
        showOwn({ state: job.status, action, job_id, job } as PageOrder);
      }
      return slot.order;
    } catch (thrown) {
      const error = requireOwn(thrown);
      const { outcome } = error;
      // An earlier copy may have left, before this page was opened.
      const isFree =
        job_id === undefined && (outcome === "refused" || (isNew && outcome === "not-sent"));
      if (isFree) await kept.change(name, order, { phase: "free" });
      return showOwn({ state: "error", error, canResume: !isFree, action, job_id });
    }
  };

  const follow = (name: string, slot: Slot, order: KeptOrder, isNew: boolean) => {
    if (slot.run !== undefined && slot.id === order.id) return slot.run;
    stop(slot);
    const { stop: own } = slot;
    // A listener that asks for the order meets the run.
    const running = Promise.resolve()
      .then(() => run(name, slot, order, isNew, own.signal))
      .finally(() => {
        if (slot.stop !== own) return;
        slot.run = undefined;
        slot.watch = undefined;
      });
    slot.id = order.id;
    slot.run = running;
    return running;
  };

  const failed = (slot: Slot, thrown: unknown): PageOrder =>
    show(slot, { state: "error", error: requireOwn(thrown), canResume: false });

  const resume = async (name: string): Promise<PageOrder> => {
    const slot = slotOf(name);
    requireOpen();
    let order: KeptOrder | undefined;
    try {
      order = kept.read(name);
    } catch (error) {
      return failed(slot, error);
    }
    if (order === undefined) {
      stop(slot);
      return slot.order.state === "none" ? slot.order : show(slot, none);
    }
    const { state } = slot.order;
    const isShown = slot.id === order.id && (state === "completed" || state === "failed");
    if (isShown || (order.phase === "free" && slot.run === undefined)) return slot.order;
    return follow(name, slot, order, false);
  };

  /** Another tab has changed an order. */
  const onStorage = (event: Event): void => {
    const { key } = event as Event & { readonly key?: string | null };
    for (const name of slots.keys()) {
      if (key === null || key === kept.keyOf(name)) resume(name).catch(() => {});
    }
  };

  const orders: PageOrders = {
    start: async (name, request) => {
      const slot = slotOf(name);
      requireOpen();
      if (!isObject(request)) refuseWrite("start takes a slot and a request: an object");
      let begun: Awaited<ReturnType<typeof kept.begin>>;
      try {
        begun = await kept.begin(name, request as JobRequest);
      } catch (error) {
        if (isAdGenError(error) && error.code === "store") return failed(slot, error);
        if (isAdGenError(error)) throw error;
        return refuseWrite("request cannot be written as JSON", error);
      }
      // It stays in the storage, for the page that comes back.
      if (isClosed) return slot.order;
      return follow(name, slot, begun.kept, begun.isNew);
    },
    resume,
    forget: async (name) => {
      const slot = slotOf(name);
      await kept.remove(name);
      stop(slot);
      show(slot, none);
    },
    subscribe: (listener) => {
      // Nothing changes any more in orders that are closed.
      if (isClosed) return () => {};
      if (listeners.size === 0) globalThis.addEventListener?.("storage", onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) globalThis.removeEventListener?.("storage", onStorage);
      };
    },
    snapshot: (name) => slotOf(name).order,
    progress: (name) => slotOf(name).watch?.progress,
    close: () => {
      isClosed = true;
      for (const slot of slots.values()) stop(slot);
      listeners.clear();
      globalThis.removeEventListener?.("storage", onStorage);
    },
  } as PageOrders;
  // The client has checked each result by its schema for the action.
  return orders as PageOrders<S>;
};
