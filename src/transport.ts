import ky from "ky";
import { makeAttempt } from "./attempt.ts";
import { type CallOptions, resolveCallOptions } from "./call-options.ts";
import type { ClientConfig } from "./config.ts";
import { type Endpoint, type EndpointName, endpoints } from "./contract/endpoint.ts";
import type { Expected } from "./decode.ts";
import type { Outcome } from "./error-context.ts";
import { type AdGenError, addContext } from "./errors.ts";
import { abortedError } from "./failure.ts";
import { observe } from "./hooks.ts";
import { fillPath } from "./path.ts";
import { formatQuery, type ListQuery } from "./query.ts";
import { retryDelayMs } from "./retry.ts";
import { sleep } from "./sleep.ts";
import type { CheckedCall } from "./standard-schema.ts";

/** What a method of the client fills into its endpoint. */
export interface CallInput extends Expected {
  /** For the endpoint's `:id`. */
  readonly id?: unknown;
  readonly query?: ListQuery | undefined;
  /** JSON. */
  readonly body?: string;
  /** Makes the call's answer of the checked data, within the call's time. */
  readonly read?: (data: unknown, call: CheckedCall) => unknown;
}

/** Makes one call: gives the checked data of its answer, or throws a typed error. */
export type Send = (
  name: EndpointName,
  input: CallInput,
  options?: CallOptions,
) => Promise<unknown>;

export const createTransport = (config: ClientConfig): Send => {
  const http = ky.create({
    retry: 0, // retry.ts decides
    timeout: false, // ky's does not cover a body that is read in pieces
    throwHttpErrors: false,
    redirect: "manual",
    // Where a worker runtime does not have the field, naming it throws.
    ...("cache" in Request.prototype && { cache: "no-store" }),
  });

  return async (name, input, options = {}) => {
    const { id, query } = input;
    const endpoint: Endpoint = endpoints[name];
    const call = resolveCallOptions(options, endpoint, config);
    const { signal, maxRetries } = call;
    const { method } = endpoint;
    const path = fillPath(endpoint.path, id);
    const url = config.baseUrl + path + formatQuery(query);
    /** What became of the call so far; of a read nobody asks. */
    let outcome: Outcome | undefined = method === "GET" ? undefined : "not-sent";
    const jobId = name === "jobs.get" ? String(id) : undefined;
    const startedAt = performance.now();
    const elapsedMs = () => performance.now() - startedAt;
    const leftMs = () => call.totalTimeoutMs - elapsedMs();
    const conclude = (error: AdGenError, attempts: number): AdGenError => {
      // Once an attempt may have been carried out, so may the call: a delete is sent again.
      if (outcome !== "unknown") outcome = error.outcome;
      const known = { method, path, jobId, attempts, outcome, elapsedMs: Math.round(elapsedMs()) };
      return addContext(error, known);
    };

    for (let number = 1; ; number++) {
      const known = { method, path, jobId, outcome };
      if (signal?.aborted) throw conclude(abortedError(signal, known), number - 1);
      const timeoutMs = Math.min(call.attemptTimeoutMs, Math.max(1, leftMs()));
      let error: AdGenError;
      try {
        const request = { endpoint, url, input, known };
        return await makeAttempt({ request, config, call, http, number, timeoutMs });
      } catch (thrown) {
        error = conclude(thrown as AdGenError, number);
      }
      const waitMs = retryDelayMs({ method, error, attempt: number, maxRetries, leftMs: leftMs() });
      if (waitMs === undefined) throw error;
      const { code, status, requestId } = error;
      const event = { method, path, attempt: number, code, status, requestId, waitMs };
      observe(config.hooks, "onRetry", event);
      // One more, as timers may fire a millisecond early; an abort is seen at the loop's head.
      await sleep(waitMs + 1, signal).catch(() => {});
    }
  };
};
