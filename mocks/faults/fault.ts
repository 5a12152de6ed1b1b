import type { Action } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import type { Span } from "../domain/draw.ts";
import { keysOf } from "../options/require.ts";

/** A connection that breaks, or that no server accepts. @inline */
export interface ConnectionFault {
  /**
   * Kind of the outage. "reset": the connection breaks before an answer. "stall": no answer ever
   * comes. "refuse": no server listens, which every adapter except the HTTP server can play.
   */
  readonly kind: "reset" | "stall" | "refuse";
  /**
   * The service carries the request out before that: it charges, creates or deletes. Never with
   * "refuse". @default false
   */
  readonly accepted?: boolean;
}

/** A body that does not come whole; the service carries the request out. @inline */
export interface BodyFault {
  /** Kind of the outage. "stall-body": the body stops for ever. "cut-body": the connection breaks. */
  readonly kind: "stall-body" | "cut-body";
  /** Bytes that come before that. @default half of the body */
  readonly afterBytes?: number;
}

/** A body that comes slowly; the service carries the request out. @inline */
export interface DripFault {
  /** The body comes piece by piece. */
  readonly kind: "drip-body";
  /** Bytes in each piece. @default 1 */
  readonly bytes?: number;
  /** Milliseconds between two pieces. @default 100 */
  readonly everyMs?: number;
}

/** A body that cannot be read; the service carries the request out. @inline */
export interface GarbledFault {
  /** The status is right, the body is JSON that ends in the middle. */
  readonly kind: "wrong-json";
}

/** A page of a proxy in front of the service, which does not get the request. @inline */
export interface HtmlFault {
  /** An HTML page in place of the envelope. */
  readonly kind: "html";
  /** 200 to 599. @default 502 */
  readonly status?: number;
}

/** An answer in place of the service's own. @inline */
export interface StatusFault {
  /** An answer with any status. */
  readonly kind: "status";
  /** 200 to 599. */
  readonly status: number;
  /** Headers to add to those of the answer, or to replace them. The adapter itself sends the headers that frame the message. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the answer; text is sent as it is, anything else as JSON. @default an envelope with an error */
  readonly body?: unknown;
  /** The service carries the request out before that. @default false */
  readonly accepted?: boolean;
}

/** Too many requests: 429. @inline */
export interface RateLimitFault {
  /** A 429 with `Retry-After`; the request is not carried out. */
  readonly kind: "rate-limit";
  /** Milliseconds, rounded up to whole seconds. @default 1000 */
  readonly retryAfterMs?: number;
}

/** Delays the answer; the request itself takes effect at once. @inline */
export interface LatencyFault {
  /** The answer comes late; goes together with any other fault. */
  readonly kind: "latency";
  /**
   * Milliseconds of the delay, the same each time or drawn for each request by the service's `seed`.
   * They go by real time or your runner's fake timers, never by the mock's clock.
   */
  readonly ms: Span;
}

/** Outage that a request meets. */
export type MockFault =
  | ConnectionFault
  | BodyFault
  | DripFault
  | GarbledFault
  | HtmlFault
  | StatusFault
  | RateLimitFault
  | LatencyFault;

/** Name of an outage. */
export type FaultKind = MockFault["kind"];

/**
 * Facts about each kind of fault. "carriesOut": the service carries the request out, unless the
 * fault's `accepted` says otherwise. "answers": a response goes out, or at least its beginning.
 */
const factsOfKinds = {
  reset: { carriesOut: false, answers: false },
  stall: { carriesOut: false, answers: false },
  refuse: { carriesOut: false, answers: false },
  "stall-body": { carriesOut: true, answers: true },
  "cut-body": { carriesOut: true, answers: true },
  "drip-body": { carriesOut: true, answers: true },
  "wrong-json": { carriesOut: true, answers: true },
  html: { carriesOut: false, answers: true },
  status: { carriesOut: false, answers: true },
  "rate-limit": { carriesOut: false, answers: true },
  latency: { carriesOut: true, answers: true },
} satisfies Record<FaultKind, object>;

/** All kinds of faults, in the order in which lists show them. */
export const faultKinds: readonly FaultKind[] = keysOf(factsOfKinds);

/** Tells whether the service carries a request out that meets this fault. */
export const isCarriedOut = (fault: MockFault): boolean =>
  ("accepted" in fault ? fault.accepted : undefined) ?? factsOfKinds[fault.kind].carriesOut;

/** Tells whether a request that meets a fault of this kind gets a response. */
export const isKindAnswered = (kind: FaultKind): boolean => factsOfKinds[kind].answers;

/** Tells whether a fault only delays, so that a request may meet another one with it. */
export const isCombined = (fault: MockFault): fault is LatencyFault => fault.kind === "latency";

/** Choice of the requests that meet a fault. */
export interface FaultOptions {
  /** Count of the requests that meet it; `Infinity` for all. @default 1 */
  readonly times?: number;
  /** Count of the requests that pass before the first of them. @default 0 */
  readonly after?: number;
  /** Only requests of this operation, or of these. @default every one of the API */
  readonly operation?: EndpointName | readonly EndpointName[];
  /** Only submissions of this action, or of one of several. @default any */
  readonly action?: Action | readonly Action[];
  /** Only requests with this API key. @default every request */
  readonly account?: string;
  /** Only requests whose JSON body has these fields, at any depth. @default any */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A fault that waits for its requests. */
export interface ScheduledFault extends FaultOptions {
  /** Id for `remove`. */
  readonly id: string;
  /** Outage that it plays. */
  readonly fault: MockFault;
  /** Count of the requests that have met it. */
  readonly played: number;
  /** Count of the requests that will still meet it; it is gone at zero. */
  readonly remaining: number;
}

/** Outages, on demand. */
export interface MockFaults {
  /** Faults that wait, oldest first. A request meets the first that fits it, and every latency. */
  readonly scheduled: readonly ScheduledFault[];
  /**
   * Plays a fault to the next requests.
   *
   * @returns the planned fault; its `id` removes it
   * @throws TypeError when a field makes no sense
   * @throws RangeError when 1,000 faults wait already
   */
  play(fault: MockFault, options?: FaultOptions): ScheduledFault;
  /** Takes a fault back; gives `false` when no fault of that id waits. */
  remove(id: string): boolean;
  /** Takes them all back. */
  clear(): void;
  /**
   * Checks that no fault waits for requests that did not come. A fault for all requests must have
   * met one. Faults that were taken back do not count.
   *
   * @throws Error when a fault was not played as often as planned; it lists those faults
   */
  assertPlayed(): void;
}
