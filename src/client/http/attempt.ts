import { type Failure, undecodable } from "../errors/make-error.ts";
import { cleanerFor } from "../errors/text.ts";
import { parseRetryAfter } from "../options/headers.ts";
import { notify, observe } from "../options/hooks.ts";
import type { AttemptEnd, Call, Progress } from "./call.ts";
import { runWithin, type TimeLimit } from "./call-time.ts";
import { parseJson } from "./decode.ts";
import { bodyWasRead, connectionFailure, keyFailure } from "./failed-fetch.ts";
import type { OneShotRequest } from "./send-request.ts";

/**
 * Reads a body into `chunks`, counting decoded bytes as they come. It stops at an abort of
 * `signal`, and after `maxBytes`: with a failure.
 */
export const readBody = async (
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  chunks: Uint8Array[],
): Promise<Failure | undefined> => {
  const { body, bodyUsed } = response;
  if (bodyUsed || body?.locked) throw new Error(bodyWasRead);
  const tooLarge = () => undecodable("too-large", `more than maxResponseBytes (${maxBytes})`);
  // React Native has no streams, and node-fetch has its own.
  if (body !== null && typeof body?.getReader !== "function") {
    const bytes = new TextEncoder().encode(await response.text());
    if (bytes.byteLength > maxBytes) return tooLarge();
    chunks.push(bytes);
    return undefined;
  }
  const reader = body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => {});
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  let bytes = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return undefined;
    bytes += value.byteLength;
    if (bytes > maxBytes) return tooLarge();
    chunks.push(value);
  }
};

/** Decodes a body's chunks. One chunk alone is decoded without a stream's state, which is quicker. */
export const decodeChunks = (chunks: readonly Uint8Array[]): string => {
  const decoder = new TextDecoder();
  const last = chunks.length - 1;
  return chunks.map((chunk, place) => decoder.decode(chunk, { stream: place < last })).join("");
};

/** Timers as this module found them. Browsers have no `setImmediate`. */
const { setTimeout: loadedTimeout, setImmediate: runNextTurn } = globalThis as {
  setTimeout: object;
  setImmediate?: (run: () => void) => void;
};

/** Whether a test has faked the timers, before this module was loaded (then they have a `clock`) or since. */
const areFaked = (): boolean => "clock" in loadedTimeout || setTimeout !== loadedTimeout;

/** Time after an answer in which the process cannot have been frozen for long. */
const freshMs = 100;

/** When the process last got an answer, by the wall clock, which a freeze does not stop. */
let lastAnswerAt = Number.NEGATIVE_INFINITY;

/**
 * Lets the event loop read its sockets once. If a process was frozen, as between two calls of a
 * function in the cloud, the loop may not know yet that the service has closed an idle connection. A
 * write on that connection would get no answer, and leave the outcome of a payment unknown.
 */
const readSockets = (): Promise<void> | undefined => {
  const isFresh = Math.abs(Date.now() - lastAnswerAt) < freshMs;
  // Faked time would stand still, or run ahead, while the loop turns.
  if (isFresh || runNextTurn === undefined || areFaked()) return undefined;
  // That of Next.js's edge runtime throws.
  return new Promise<void>((resolve) => runNextTurn(resolve)).catch(() => {});
};

/**
 * Sends one request, within its time and the caller's signal, and returns how it ended. It never
 * throws, and leaves nothing behind.
 *
 * @param attempt - 1 for the first
 * @param keys - Keys of the call's earlier attempts; this one's is added
 * @param request - The request of this attempt
 */
export const makeAttempt = async (
  call: Call,
  attempt: number,
  keys: Set<string>,
  request: OneShotRequest,
): Promise<AttemptEnd> => {
  const { name: operation, method, path, outcome, config } = call;
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
    const reading = pending instanceof Promise ? await pending : pending;
    const { key } = reading;
    if (key === undefined) return keyFailure(reading, ofCall);
    if (key !== null) keys.add(key);
    const { clean = ofCall } = reading;
    progress.clean = clean;
    // A read is sent again by itself.
    const turn = outcome === undefined ? undefined : readSockets();
    if (turn !== undefined) await turn;
    if (signal.aborted) return undefined;

    const event = { operation, method, path, attempt };
    observe(config, "onRequest", event);
    const sentAt = performance.now();
    // The key function and the hook may have used the time up, and have blocked the timer too.
    if (sentAt >= limit.endsAt) return limit.failure;
    // Another process may hold this call for lost by now, and send another.
    if (call.canSend?.() === false) {
      return { code: "timeout", what: "timed out after a suspension of the process" };
    }
    const response = await request.send(key, signal, progress);
    if (signal.aborted) {
      // A caller's fetch ignored the abort: discard its answer.
      await response.body?.cancel?.();
      return undefined;
    }

    lastAnswerAt = Date.now();
    const { status, headers } = response;
    const id = headers.get("x-request-id") || headers.get("request-id");
    const requestId = id ? clean(id) : undefined;
    const facts = { status, requestId, retryAfterMs: parseRetryAfter(headers) };
    Object.assign(progress, { headers, facts });
    const durationMs = performance.now() - sentAt;
    observe(config, "onResponse", { ...event, ...facts, durationMs });
    notify("onResponse", call.onResponse, { ...facts, headers });
    return readBody(response, config.maxResponseBytes, signal, progress.chunks);
  };

  const failure = await runWithin(
    call,
    (signal, limit) =>
      ask(signal, limit).catch((thrown) => {
        // An error of `fetch` is known; ky throws one of its own around it.
        if (!("thrown" in progress)) progress.thrown = thrown;
        return connectionFailure(call, progress);
      }),
    undefined,
    () => progress.wasHandedOver,
  );
  // A copy: what is still running must not change it.
  const { chunks, ...facts } = progress;
  const text = decodeChunks(chunks);
  const bodyStayed = request.withdraw();
  return { ...facts, failure, bodyStayed, text, json: parseJson(text) };
};
