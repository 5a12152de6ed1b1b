import type { LimitUsage } from "./limits.ts";
import type { ProxyOptions } from "./proxy-options.ts";

/** What a platform hands to a handler beside the request. */
export interface ProxyContext {
  /** Keeps the platform's process alive until a promise settles, as in Workers. */
  readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
}

/** A proxy: answers requests of pages. */
export interface AdGenProxy {
  /**
   * Answers one request. It never rejects: every failure is an answer in the envelope.
   *
   * @param context Where the platform has `waitUntil`, hand it over. A submission then ends and is
   * remembered, even when the page has gone.
   */
  (request: Request, context?: ProxyContext | undefined): Promise<Response>;
  /** Tells how much of each limit an owner has used. */
  usage(owner: string): Promise<readonly LimitUsage[]>;
}

/** Makes a proxy. */
export const createProxy = (_options: ProxyOptions): AdGenProxy => {
  throw new Error("not there yet");
};
