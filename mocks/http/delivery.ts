import type { Delivery } from "./reply.ts";

/** A delivery that plays its fault while the body is on its way. */
export type BodyDelivery = Extract<Delivery, { how: "stall-body" | "cut-body" | "drip-body" }>;

/** The way of a body to the client, for a face to play. */
export interface BodyPlan {
  /** Bytes of the whole body, whether they all come or not. */
  readonly length: number;
  /** The parts that come, in their order. */
  readonly pieces: Iterable<Uint8Array<ArrayBuffer>>;
  /** Milliseconds between two pieces. */
  readonly everyMs: number;
  /** The end after the last piece: the body is complete, the connection breaks, or it hangs. */
  readonly end: "complete" | "cut" | "stall";
}

/** Longest wait of a timer, in milliseconds. `setTimeout` takes a longer one for 1 ms. */
export const maxTimerMs = 2 ** 31 - 1;

/** Headers that frame a message. Each face writes its own. */
export const framingHeaders: readonly string[] = [
  "connection",
  "content-length",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

const statusesWithoutBody = [204, 205, 304];

/** Tells whether an answer may have a body. */
export const allowsBody = (method: string | undefined, status: number): boolean =>
  method !== "HEAD" && !statusesWithoutBody.includes(status);

/** Tells whether an answer may have a `content-length`: a 205 says by it that the body is empty. */
export const allowsLength = (method: string | undefined, status: number): boolean =>
  allowsBody(method, status) || (method !== "HEAD" && status === 205);

/** Tells whether the client gets an answer, or at least its status and headers. */
export const isAnswered = ({ how }: Delivery): boolean => {
  switch (how) {
    case "reset":
    case "refuse":
    case "stall":
      return false;
    case "whole":
    case "stall-body":
    case "cut-body":
    case "drip-body":
      return true;
  }
};

function* cutIntoPieces(
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
): Generator<Uint8Array<ArrayBuffer>> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.slice(start, start + size);
  }
}

/** Plans the way of a body that meets a fault. */
export const planBody = (body: string, delivery: BodyDelivery): BodyPlan => {
  const bytes = new TextEncoder().encode(body);
  const { length } = bytes;
  switch (delivery.how) {
    case "stall-body":
    case "cut-body": {
      const pieces = [bytes.slice(0, delivery.afterBytes)];
      return { length, pieces, everyMs: 0, end: delivery.how === "cut-body" ? "cut" : "stall" };
    }
    case "drip-body": {
      const pieces = cutIntoPieces(bytes, Math.max(1, delivery.bytes));
      return { length, pieces, everyMs: delivery.everyMs, end: "complete" };
    }
  }
};

/**
 * Waits so many milliseconds, `Infinity` for ever, or until one of the signals aborts.
 *
 * @returns `true` when the time is over, `false` after an abort
 */
export const pause = (ms: number, signals: readonly AbortSignal[]): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (isOver: boolean): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", stop);
      resolve(isOver);
    };
    const stop = (): void => settle(false);
    // The global timer: a test runner's fake timers drive a mock in the same process.
    const timer =
      ms === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(settle, Math.min(ms, maxTimerMs), true);
    for (const signal of signals) signal.addEventListener("abort", stop);
    if (signals.some(({ aborted }) => aborted)) stop();
  });
