import type { Action } from "../../src/contract/actions.ts";

/** How a job is to end. */
export interface JobOutcome {
  /** It fails when its time is over, and this is what its `error` says. Not with a `result`. */
  readonly fail?: string;
  /** It completes, with this as its `result`; any JSON. Not with `fail`. */
  readonly result?: unknown;
  /**
   * How many milliseconds it takes, whatever the timeline says; zero or more. More than
   * 30 minutes, `Infinity` included: it expires.
   */
  readonly takesMs?: number;
}

/** Which submissions an outcome is for. */
export interface OutcomeOptions {
  /** How many submissions; `Infinity` for all. @default 1 */
  readonly times?: number;
  /** Only jobs of this action. @default any */
  readonly action?: Action;
  /** Only jobs of this API key. @default any */
  readonly account?: string;
}
