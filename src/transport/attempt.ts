import { connectionFailure, keyFailure } from "../answer/failed-fetch.ts";
import { parseJson } from "../answer/json.ts";
import { runWithin, type TimeLimit } from "../call-time.ts";
import type { Failure } from "../errors/make-error.ts";
import { cleanerFor } from "../errors/text.ts";
import { notify } from "../hooks.ts";
import type { Call, Ending, Progress } from "../request/call.ts";
import { createOneShotBody } from "./one-shot-body.ts";
import { decodeChunks, readBody } from "./read-body.ts";
import { parseRetryAfter } from "./retry.ts";
import { sendRequest } from "./send-request.ts";

/**
 * Sends one request, within its time and the caller's signal, and returns how it ended. It never
 * throws, and leaves nothing behind.
 *
 * @param attempt - 1 for the first
 * @param keys - Keys of the call's earlier attempts; this one's is added
 */
export const makeAttempt = async (
  call: Call,
  attempt: number,
  keys: Set<string>,
): Promise<Ending> => {
  const { method, path, config } = call;
  const { hooks } = config;
  const body = call.body && createOneShotBody(call.body.text);
  const ofCall = cleanerFor(keys);
  const progress: Progress = {
    attempts: attempt - 1,
    clean: ofCall,
    wasHandedOver: false,
    facts: {},
    chunks: [],
  };

  const ask = async (signal: AbortSignal, limit: TimeLimit): Promise<Failure | undefined> => {
    progress.attempts = attempt;
    const pending = config.readKey();
    // A key that is there lets the request leave at once, also from a process that is busy.
    const reading = pending instanceof Promise ? await pending : pending;
    const { key } = reading;
    if (key === undefined) return keyFailure(reading, ofCall);
    if (key !== null) keys.add(key);
    const { clean = ofCall } = reading;
    progress.clean = clean;
    signal.throwIfAborted();

    const event = { method, path, attempt };
    notify("onRequest", hooks.onRequest, event);
    const sentAt = performance.now();
    // The key function and the hook may have used the time up, and have blocked the timer too.
    if (sentAt >= limit.endsAt) return limit.failure;
    // Another process may hold this call for lost by now, and send another.
    if (call.mayLeave?.() === false) {
      return { code: "timeout", what: "timed out after a suspension of the process" };
    }
    const response = await sendRequest(call, key, body, signal, progress);
    if (signal.aborted) {
      // A caller's fetch ignored the abort: discard its answer.
      await response.body?.cancel?.();
      return undefined;
    }

    const { status, headers } = response;
    const id = headers.get("x-request-id") || headers.get("request-id");
    const requestId = id ? clean(id) : undefined;
    const facts = { status, requestId, retryAfterMs: parseRetryAfter(headers) };
    Object.assign(progress, { headers, facts });
    const durationMs = performance.now() - sentAt;
    notify("onResponse", hooks.onResponse, { ...event, ...facts, durationMs });
    notify("onResponse", call.onResponse, { ...facts, headers });
    return readBody(response, config.maxResponseBytes, signal, progress.chunks);
  };

  const failure = await runWithin(call, (signal, limit) =>
    ask(signal, limit).catch((thrown) => {
      // An error of `fetch` is known; ky throws one of its own around it.
      if (!("thrown" in progress)) progress.thrown = thrown;
      return connectionFailure(call, progress);
    }),
  );
  // A copy: what is still running must not change it.
  const { chunks, ...facts } = progress;
  const text = decodeChunks(chunks);
  const bodyStayed = body?.withdraw() ?? false;
  return { ...facts, failure, bodyStayed, text, json: parseJson(text) };
};
