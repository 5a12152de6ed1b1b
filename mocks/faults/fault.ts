import type { EndpointName } from "../../src/contract/endpoint.ts";
import { keysOf } from "../options/require.ts";
import type { Span } from "../seeded/draw.ts";

/** No connection, or one that breaks. */
export interface ConnectionFault {
  /**
   * "reset": the connection breaks before an answer. "stall": no answer ever comes. "refuse":
   * nobody listens; all but an HTTP server can play it.
   */
  readonly kind: "reset" | "stall" | "refuse";
  /**
   * Whether the service has carried the request out before that: charged, created, deleted.
   * Never with "refuse". @default false
   */
  readonly accepted?: boolean;
}

/** The request is carried out, and the answer's body does not come whole. */
export interface BodyFault {
  /** "stall-body": it stops for ever. "cut-body": the connection breaks in it. */
  readonly kind: "stall-body" | "cut-body";
  /** How many bytes come before that. @default half of the body */
  readonly afterBytes?: number;
}

/** The request is carried out, and the answer's body comes slowly. */
export interface DripFault {
  /** The body comes piece by piece. */
  readonly kind: "drip-body";
  /** Bytes in each piece. @default 1 */
  readonly bytes?: number;
  /** Milliseconds between two pieces. @default 100 */
  readonly everyMs?: number;
}

/** The request is carried out, and the answer cannot be read. */
export interface GarbledFault {
  /** The status is right, the body is JSON that ends in the middle. */
  readonly kind: "wrong-json";
}

/** The page of a proxy in front of the service; the request is not carried out. */
export interface HtmlFault {
  /** An HTML page in place of the envelope. */
  readonly kind: "html";
  /** 200 to 599. @default 502 */
  readonly status?: number;
}

/** Another answer than the service's own. */
export interface StatusFault {
  /** An answer with any status. */
  readonly kind: "status";
  /** 200 to 599. */
  readonly status: number;
  /** Added to the answer's headers, or in their place. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON. @default an envelope with an error */
  readonly body?: unknown;
  /** Whether the service has carried the request out before that. @default false */
  readonly accepted?: boolean;
}

/** Too many requests: 429. */
export interface RateLimitFault {
  /** A 429 with `Retry-After`; the request is not carried out. */
  readonly kind: "rate-limit";
  /** Milliseconds, rounded up to whole seconds. @default 1000 */
  readonly retryAfterMs?: number;
}

/** The service is slow: the request is carried out at once, and its answer comes later. */
export interface LatencyFault {
  /** The answer comes late; goes together with any other fault. */
  readonly kind: "latency";
  /**
   * Milliseconds, always the same or drawn anew for each request by the service's `seed`.
   * Real ones, or your runner's fake timers': the mock's clock has no part in them.
   */
  readonly ms: Span;
}

/** What goes wrong with a request. */
export type MockFault =
  | ConnectionFault
  | BodyFault
  | DripFault
  | GarbledFault
  | HtmlFault
  | StatusFault
  | RateLimitFault
  | LatencyFault;

/** Name of something that can go wrong. */
export type FaultKind = MockFault["kind"];

/** Facts about a kind of fault, whatever its fields say. */
interface FaultFacts {
  /** The service carries the request out, unless the fault's `accepted` says otherwise. */
  readonly carriesOut: boolean;
  /** A response goes out, or at least its beginning. */
  readonly answers: boolean;
}

const factsOfKinds: Readonly<Record<FaultKind, FaultFacts>> = {
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
};

/** All kinds of faults, in the order in which lists show them. */
export const faultKinds: readonly FaultKind[] = keysOf(factsOfKinds);

/** Tells whether the service carries a request out that meets this fault. */
export const isCarriedOut = (fault: MockFault): boolean =>
  ("accepted" in fault ? fault.accepted : undefined) ?? factsOfKinds[fault.kind].carriesOut;

/** Tells whether a request that meets a fault of this kind gets a response. */
export const isAnswered = (kind: FaultKind): boolean => factsOfKinds[kind].answers;

/** Which requests a fault is played to. */
export interface FaultOptions {
  /** How many requests it is played to; `Infinity` for all. @default 1 */
  readonly times?: number;
  /** Only requests of this operation, or of these. @default every request, known path or not */
  readonly operation?: EndpointName | readonly EndpointName[];
  /** Only requests with this API key. @default every request */
  readonly account?: string;
  /** How likely each of those requests meets it, 0 to 1; drawn by the service's `seed`. @default 1 */
  readonly probability?: number;
}

/** A fault that waits for its requests. */
export interface PlannedFault extends FaultOptions {
  /** Names it, for `remove`. */
  readonly id: string;
  /** What goes wrong. */
  readonly fault: MockFault;
  /** How many requests have met it. */
  readonly played: number;
  /** How many more will; it is gone at zero. */
  readonly remaining: number;
}

/** Outages, on demand. */
export interface MockFaults {
  /** The faults that wait, oldest first. A request meets the first that fits it, latencies aside. */
  readonly planned: readonly PlannedFault[];
  /**
   * Plays a fault to the next requests.
   *
   * @returns what was planned; its `id` removes it
   * @throws TypeError when it makes no sense, or when a face that is in use cannot play it
   */
  play(fault: MockFault, options?: FaultOptions): PlannedFault;
  /** Takes a fault back; `false` when there is none of that id any more. */
  remove(id: string): boolean;
  /** Takes them all back. */
  clear(): void;
}

/** A face that answers for the service, and what it has no means to play. */
export interface MockFace {
  /** As an error message says it, such as "The HTTP server". */
  readonly name: string;
  /** Kinds of faults. */
  readonly cannotPlay: readonly MockFault["kind"][];
}
