import type { Action } from "../contract/actions.ts";
import type { CompletedJob, FailedJob, JobRequest, UnfinishedJob } from "../contract/jobs.ts";
import type { KnownParametersOnly } from "../contract/known-parameters.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { isObject, refuseArgument, refuseWrite } from "../options/rules.ts";
import type { WaitProgress } from "../polling/poll-options.ts";
import { type JobWatch, watchJob } from "../polling/watch-job.ts";
import { memoryOf } from "../request/job-memory.ts";
import type { JobRef, ResultOf } from "../request/job-ref.ts";
import { createKeptOrders, type KeptOrder } from "./kept-orders.ts";
import { nameRule, type PageOrdersOptions, resolvePageOptions } from "./page-options.ts";

/** An order of a page: a union on `state`. Each object is frozen, and stands for one state. */
export type PageOrder<R = unknown> =
  /** Nothing was ordered, or `forget` was called. */
  | { readonly state: "none" }
  /** The submission is under way. */
  | { readonly state: "submitting"; readonly action: string }
  /** The job is waited for. `job` is absent before the first poll. */
  | {
      readonly state: "waiting";
      readonly action: string;
      readonly job_id: string;
      readonly job?: UnfinishedJob | undefined;
    }
  /** The job has finished. */
  | {
      readonly state: "completed";
      readonly action: string;
      readonly job_id: string;
      readonly job: CompletedJob<R>;
    }
  /** The job has failed: the service's answer, and no error. */
  | {
      readonly state: "failed";
      readonly action: string;
      readonly job_id: string;
      readonly job: FailedJob;
    }
  /**
   * The submission or the wait has failed. `canResume: true`: the order is kept, and `resume` goes on
   * with it, without a second charge. Otherwise it was refused, or never sent.
   */
  | {
      readonly state: "error";
      readonly error: AnyAdGenError;
      readonly canResume: boolean;
      readonly action?: string | undefined;
      readonly job_id?: string | undefined;
    }
  /**
   * It had no answer when the page was left, at `at` by `Date.now()`, and is too old to be sent again:
   * it may have been paid. Show the list of jobs, then call `forget`.
   */
  | { readonly state: "expired"; readonly action: string; readonly at: number };

/** The orders of one user in a page: see `createPageOrders`. Its methods need no `this`. */
export interface PageOrders<S extends ClientSchemas = ClientSchemas> {
  /**
   * Places an order in a slot, and waits until it is over. **This costs credits**, copy excepted.
   * While the slot's order is not over, the same request is that order: a second click, or another
   * tab, pays nothing. Once it is over, it is a new one.
   *
   * @param slot Name of the place that shows the order, 1 to 512 characters: `"product-7-hero"`.
   * @returns The state in which the order ends. What a call or a wait throws is the state `error`.
   * @throws `InvalidRequestError` (`invalid_request`) for a wrong slot or request, and while the slot
   * holds another order. Nothing was sent.
   */
  start<const R extends JobRequest>(
    slot: string,
    request: KnownParametersOnly<R>,
  ): Promise<PageOrder<ResultOf<S, R["action"]>>>;
  /**
   * Goes on with the order that the storage holds for a slot: to be called when the page opens, and
   * after an `error` with `canResume`. A submission without an answer is sent again with its id, and
   * paid once. Several calls are one.
   *
   * @returns The state in which the order ends; `none` where there is no order.
   * @throws `InvalidRequestError` (`invalid_request`) for a wrong slot.
   */
  resume<A extends Action = never>(slot: string): Promise<PageOrder<ResultOf<S, A>>>;
  /**
   * Empties a slot, and ends the wait for its order. It cancels nothing: a job goes on, and stays in
   * the list.
   *
   * @throws `InvalidRequestError` (`invalid_request`) for a wrong slot; `StoreError` (`store`).
   */
  forget(slot: string): Promise<void>;
  /**
   * Calls a function after each change of any slot, also by another tab.
   *
   * @returns The function that ends it.
   */
  subscribe(listener: () => void): () => void;
  /**
   * The state of a slot: the same object until it changes. `none` before `start` or `resume`.
   *
   * @throws `InvalidRequestError` (`invalid_request`) for a wrong slot.
   */
  snapshot<A extends Action = never>(slot: string): PageOrder<ResultOf<S, A>>;
  /** Progress of a slot's wait by now, for a timer that draws a bar. */
  progress(slot: string): WaitProgress | undefined;
  /** Ends all waits, as when the user signs out. The orders stay in the storage. */
  close(): void;
}

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
 * @throws `ConfigError` (`config`) that names an option which is missing or makes no sense.
 * @see The guide "Orders that survive a reload"
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
  const { baseUrl = "" } = memoryOf(client.jobs) ?? {};
  const parts = [baseUrl, user].map(encodeURIComponent).join(":");
  const kept = createKeptOrders(`adgen-sdk:order:${parts}:`, storage, resendMs);
  const slots = new Map<string, Slot>();
  const listeners = new Set<() => void>();

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
  const run = async (name: string, slot: Slot, order: KeptOrder, isNew: boolean) => {
    const { signal } = slot.stop;
    const { action, request } = order;
    const showOwn = (next: PageOrder) => (signal.aborted ? slot.order : show(slot, next));
    let { job_id } = order;
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
    const running = run(name, slot, order, isNew).finally(() => {
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
      if (!isObject(request)) refuseWrite("start takes a slot and a request: an object");
      let begun: Awaited<ReturnType<typeof kept.begin>>;
      try {
        begun = await kept.begin(name, request as JobRequest);
      } catch (error) {
        if (isAdGenError(error) && error.code === "store") return failed(slot, error);
        if (isAdGenError(error)) throw error;
        return refuseWrite("request cannot be written as JSON", error);
      }
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
      for (const slot of slots.values()) stop(slot);
      listeners.clear();
      globalThis.removeEventListener?.("storage", onStorage);
    },
  } as PageOrders;
  // The client has checked each result by its schema for the action.
  return orders as PageOrders<S>;
};
