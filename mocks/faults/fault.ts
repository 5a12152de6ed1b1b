/**
 * Faults: their types, their schemas, and which of them a request meets. This folder imports the domain and
 * the options. How a fault is played is decided in `mocks/http`.
 */
import type { Span } from "../domain/draw.ts";
import type { FaultOptions } from "../domain/schedule.ts";
import { keysOf } from "../options/require.ts";

/** A connection that breaks or is refused. @inline */
export interface ConnectionFault {
  /**
   * Kind of the fault. "reset": the connection breaks before an answer. "stall": no answer ever
   * comes. "refuse": no server listens; the HTTP server, which does listen, plays it as "reset".
   */
  readonly kind: "reset" | "stall" | "refuse";
  /**
   * `true` lets the service carry out the request first, so that it charges, creates or deletes. A
   * request that is refused is never carried out. @default false
   */
  readonly accepted?: boolean;
}

/** A body that doesn't arrive completely. The service carries out the request. @inline */
export interface BodyFault {
  /** Kind of the fault. "stall-body": the body stops forever. "cut-body": the connection breaks. */
  readonly kind: "stall-body" | "cut-body";
  /** Number of bytes that arrive before that. @default half of the body */
  readonly afterBytes?: number;
}

/** A body that arrives slowly. The service carries out the request. @inline */
export interface DripFault {
  /** The body arrives piece by piece. */
  readonly kind: "drip-body";
  /** Bytes in each piece. @default 1 */
  readonly bytes?: number;
  /** Milliseconds between two pieces. @default 100 */
  readonly everyMs?: number;
}

/** A body that can't be parsed. The service carries out the request. @inline */
export interface GarbledFault {
  /** The status is right, but the JSON ends in the middle. */
  readonly kind: "wrong-json";
}

/** A page of a proxy in front of the service, which doesn't get the request. @inline */
export interface HtmlFault {
  /** An HTML page instead of the envelope. */
  readonly kind: "html";
  /** 200 to 599. @default 502 */
  readonly status?: number;
}

/** An answer instead of the service's own. @inline */
export interface StatusFault {
  /** An answer with any status. */
  readonly kind: "status";
  /** 200 to 599. */
  readonly status: number;
  /** Headers to add or to replace. Headers that frame the message, such as `content-length`, are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the answer. A string is sent as it is, anything else as JSON. @default an envelope with an error */
  readonly body?: unknown;
  /** `true` lets the service carry out the request first. @default false */
  readonly accepted?: boolean;
}

/** Too many requests: 429. @inline */
export interface RateLimitFault {
  /** A 429 with `Retry-After`. The service doesn't carry out the request. */
  readonly kind: "rate-limit";
  /** Milliseconds, rounded up to whole seconds. @default 1000 */
  readonly retryAfterMs?: number;
}

/** A delay of the answer. The request itself takes effect at once. @inline */
export interface LatencyFault {
  /** The answer comes late. A request can meet a latency and another fault together. */
  readonly kind: "latency";
  /**
   * Milliseconds of the delay: the same each time, or drawn for each request by the service's `seed`.
   * They pass in real time or by your runner's fake timers, never by the mock's clock.
   */
  readonly ms: Span;
}

/** A failure of the network or of the service, which a request meets. */
export type MockFault =
  | ConnectionFault
  | BodyFault
  | DripFault
  | GarbledFault
  | HtmlFault
  | StatusFault
  | RateLimitFault
  | LatencyFault;

/** The kinds of faults. */
export type FaultKind = MockFault["kind"];

/**
 * Facts about each kind. `carriesOut`: the service carries out the request, unless the fault's
 * `accepted` says otherwise. `answers`: at least the beginning of a response is sent.
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

/** All kinds of faults, in the order of messages. */
export const faultKinds: readonly FaultKind[] = keysOf(factsOfKinds);

/** Returns whether the service carries out a request that meets this fault. */
export const isCarriedOut = (fault: MockFault): boolean =>
  ("accepted" in fault ? fault.accepted : undefined) ?? factsOfKinds[fault.kind].carriesOut;

/** Returns whether a request that meets a fault of this kind gets a response. */
export const isKindAnswered = (kind: FaultKind): boolean => factsOfKinds[kind].answers;

/** Returns whether a fault only delays, so that a request can meet another one as well. */
export const isCombined = (fault: MockFault): fault is LatencyFault => fault.kind === "latency";

/** Headers that only an adapter may send, because they frame its messages. */
export const framingHeaders: readonly string[] = [
  "connection",
  "content-length",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Maximum number of milliseconds that a timer can wait. */
export const maxDelayMs = 2_147_483_647;

/** A fault that waits for its requests. */
export interface ScheduledFault extends FaultOptions {
  /** Its id, for `remove`. */
  readonly id: string;
  /** The fault that the requests meet. */
  readonly fault: MockFault;
  /** Number of requests that have met it. */
  readonly played: number;
  /** Number of requests that will still meet it. At zero, it is removed. */
  readonly remaining: number;
}

/** Makes requests fail on demand. */
export interface MockFaults {
  /** The faults that wait, oldest first. A request meets the first one that is for it, and every latency. */
  readonly scheduled: readonly ScheduledFault[];
  /**
   * Schedules a fault for the next requests.
   *
   * @returns the scheduled fault; its `id` removes it
   * @throws TypeError when a field is invalid
   */
  play(fault: MockFault, options?: FaultOptions): ScheduledFault;
  /** Removes a fault. Returns `false` if no fault with this id is waiting. */
  remove(id: string): boolean;
  /** Removes all faults. */
  clear(): void;
  /**
   * Checks that no fault is still waiting for requests. A fault for all requests must have met at least
   * one. Faults that were removed don't count.
   *
   * @throws Error when a fault was not played as often as scheduled; it lists these faults
   */
  assertPlayed(): void;
}
