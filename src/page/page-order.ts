import type { Action } from "../contract/actions.ts";
import type { CompletedJob, FailedJob, RequestOf, UnfinishedJob } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import type { WaitProgress } from "../polling/poll-options.ts";
import type { ResultOf } from "../request/job-ref.ts";

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
   * @throws `InvalidRequestError` (`invalid_request`) for a wrong slot or request, while the slot
   * holds another order, and after `close`. Nothing was sent.
   */
  start<A extends Action>(slot: string, request: RequestOf<A>): Promise<PageOrder<ResultOf<S, A>>>;
  /**
   * Goes on with the order that the storage holds for a slot: to be called when the page opens, and
   * after an `error` with `canResume`. A submission without an answer is sent again with its id, and
   * paid once. Several calls are one.
   *
   * @returns The state in which the order ends; `none` where there is no order.
   * @throws `InvalidRequestError` (`invalid_request`) for a wrong slot, and after `close`.
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
  /**
   * Ends all waits, as when the user signs out. The orders stay in the storage. Afterwards `start` and
   * `resume` are refused, and no listener is called.
   */
  close(): void;
}
