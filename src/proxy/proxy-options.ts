import type { Action, CustomFetch, Outcome, ReachedLimit } from "adgen-sdk";
import type { EndpointName } from "../contract/endpoint.ts";
import type { RecordStore } from "../submissions/store/record-store.ts";
import type { UsageLimit, UsageLimits } from "../submissions/store/usage-limits.ts";

/** One request that the proxy has answered. It never holds the key, a body or a prompt. */
export interface ProxyResponseEvent {
  /** HTTP method of the request. */
  readonly method: string;
  /** Call of the API; absent when the path names no call, or the request was refused earlier. */
  readonly endpoint?: EndpointName | undefined;
  /** Owner of the request, from `authorize` or `fetchAs`, or `"anyone"` with `allowAnyone`. */
  readonly owner?: string | undefined;
  /** HTTP status of the answer. */
  readonly status: number;
  /** Time from the request to the answer, in milliseconds. */
  readonly durationMs: number;
  /** Whether an earlier copy of this call decided the answer, so that nothing was sent. */
  readonly repeated: boolean;
  /** Whether a write that failed was carried out. */
  readonly outcome?: Outcome | undefined;
  /** Id that the service gave the request. */
  readonly requestId?: string | undefined;
}

/**
 * A failure of which the page learns no details. A function of the options, the store, the service
 * or the proxy itself has failed.
 */
export interface ProxyErrorEvent {
  /** Part that failed. */
  readonly part: "authorize" | "limits" | "store" | "upstream" | "proxy";
  /**
   * Error as it was thrown. After a failed call of the service, it is an object with the code, the
   * address and the reason.
   */
  readonly error: unknown;
}

/** Observers for logs and metrics. What they return is ignored, and what they throw is printed. */
export interface ProxyHooks {
  /** Called for each request when its answer is ready. */
  readonly onResponse?: ((event: ProxyResponseEvent) => void) | undefined;
  /**
   * Called for a failure of which the page learns no details.
   *
   * @default prints it with `console.error`
   */
  readonly onError?: ((event: ProxyErrorEvent) => void) | undefined;
}

/** Largest amounts of one owner in a window. */
export type OwnerLimit = UsageLimit;

/** Limits of one owner, for each day and each month of the calendar in UTC. */
export type OwnerLimits = UsageLimits;

/** State of one limit of an owner. */
export interface LimitUsage extends ReachedLimit {
  /** Day or month of the calendar in UTC. */
  readonly window: "day" | "month";
  /** Amount that is used, or reserved by submissions under way. */
  readonly used: number;
}

/** Options of {@link createProxy}. */
export interface ProxyOptions {
  /** Address of the service, without `/v1`. @default the environment's `ADGEN_BASE_URL` */
  readonly baseUrl?: string | URL | undefined;
  /** The API key, or a function that gives it. @default the environment's `ADGEN_API_KEY` */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * Returns the owner of a request, such as the id of a user. With `undefined`, `null`, `false` or
   * an empty text, the request is refused (401). If it throws, the page gets a 500 without details.
   * It must not read the request's body: read a `request.clone()`.
   */
  readonly authorize?: ((request: Request) => Verdict | Promise<Verdict>) | undefined;
  /** Lets everybody in as one and the same owner. Required when `authorize` is absent. */
  readonly allowAnyone?: boolean | undefined;
  /**
   * Store of owners, call ids and limits. Several processes must share one: see
   * `createRedisStore`.
   * @default a memory store of this process, with a warning
   */
  readonly store?: RecordStore | undefined;
  /** Calls that pages may make. @default all */
  readonly endpoints?: readonly EndpointName[] | undefined;
  /** Actions that pages may submit. @default all that the service supports */
  readonly actions?: readonly Action[] | undefined;
  /**
   * Amounts that each owner may use, or a function that returns them for one owner.
   * @default no limit
   */
  readonly limits?:
    | OwnerLimits
    | ((owner: string) => OwnerLimits | Promise<OwnerLimits>)
    | undefined;
  /** Largest request body, in bytes. @default 10485760 (10 MiB) */
  readonly maxRequestBytes?: number | undefined;
  /** Largest answer of the service, in decoded bytes. @default 16777216 (16 MiB) */
  readonly maxResponseBytes?: number | undefined;
  /** Time for the service's answer, in milliseconds. @default 30000, and 60000 for a submission */
  readonly timeoutMs?: number | undefined;
  /** Time for one step of the store, in milliseconds. @default 3000 */
  readonly storeTimeoutMs?: number | undefined;
  /**
   * Time for which a call id is remembered, in milliseconds. After that, a repeat of the call is
   * sent and paid again.
   * @default 2592000000 (30 days)
   */
  readonly callWindowMs?: number | undefined;
  /** Time for which a job's owner is remembered, in milliseconds. @default 2592000000 (30 days) */
  readonly jobTtlMs?: number | undefined;
  /** Function that sends the requests to the service, instead of the global `fetch`. */
  readonly fetch?: CustomFetch | undefined;
  /**
   * Observers for logs and metrics. What they return is ignored, and what they throw is printed.
   */
  readonly hooks?: ProxyHooks | undefined;
}

/** @inline */
type Verdict = string | undefined | null | false;
