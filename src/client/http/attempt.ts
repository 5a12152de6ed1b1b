/*
 * One call of the service: preparing it, its attempts, and the meaning of its response. This folder
 * imports errors, options, internal and the contract, and knows no resource and no wait. Only
 * `send-request.ts` imports ky.
 */

import { decodeFailure, type Failure } from "../errors/make-error.ts";
import { createRedactLine } from "../errors/text.ts";
import { parseRetryAfter } from "../options/headers.ts";
import { callHooks, callObserver } from "../options/hooks.ts";
import type { AttemptEnd, AttemptFacts, Call } from "./call.ts";
import { runWithin, type TimeLimit } from "./call-time.ts";
import { parseJsonBody } from "./decode.ts";
import { bodyWasRead, connectionFailure, keyFailure } from "./failed-fetch.ts";
import type { OneShotRequest } from "./send-request.ts";

/**
 * Reads a body into `chunks`. It stops when `signal` aborts, and returns a failure when the body
 * exceeds `maxBytes` decoded bytes.
 */
export const readBody = async (
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  chunks: Uint8Array[],
): Promise<Failure | undefined> => {
  const { body, bodyUsed } = response;
  if (bodyUsed || body?.locked) throw new Error(bodyWasRead);
  const tooLarge = () => decodeFailure("too-large", `more than maxResponseBytes (${maxBytes})`);
  // React Native has no streams, and the streams of node-fetch have no reader.
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

/** Decodes a body's chunks. A single chunk is decoded without streaming, which is quicker. */
export const decodeChunks = (chunks: readonly Uint8Array[]): string => {
  const decoder = new TextDecoder();
  const last = chunks.length - 1;
  return chunks.map((chunk, place) => decoder.decode(chunk, { stream: place < last })).join("");
};

/** The timers at the time when this module was loaded. Browsers have no `setImmediate`. */
const { setTimeout: loadedTimeout, setImmediate: runNextTurn } = globalThis as {
  setTimeout: object;
  setImmediate?: (run: () => void) => void;
};

/**
 * Whether a test has faked the timers. Timers that were faked before this module was loaded have a
 * `clock`.
 */
const areFaked = (): boolean => "clock" in loadedTimeout || setTimeout !== loadedTimeout;

/** For this long after a response, we take it that the process wasn't frozen. */
const freshMs = 100;

/**
 * When the process last got a response, by the wall clock, which runs on while a process is frozen.
 */
let lastAnswerAt = Number.NEGATIVE_INFINITY;

/**
 * Lets the event loop read its sockets once. After a freeze, as between two invocations of a cloud
 * function, Node may not have noticed yet that the service closed an idle connection. A POST on
 * that connection would get no response, and its outcome would be unknown.
 */
const readSockets = (): Promise<void> | undefined => {
  const isFresh = Math.abs(Date.now() - lastAnswerAt) < freshMs;
  // Under fake timers, waiting for a turn of the loop could hang, or let the faked time run ahead.
  if (isFresh || runNextTurn === undefined || areFaked()) return undefined;
  // `setImmediate` of Next.js's edge runtime throws.
  return new Promise<void>((resolve) => runNextTurn(resolve)).catch(() => {});
};

/**
 * Sends one request, within its time limit and the caller's signal, and returns how it ended. It
 * never throws, and leaves no timer or listener behind.
 *
 * @param attempt - 1 for the first
 * @param keys - Keys of the call's earlier attempts; the key of this attempt is added
 * @param request - The request of this attempt
 */
export const makeAttempt = async (
  call: Call,
  attempt: number,
  keys: Set<string>,
  request: OneShotRequest,
): Promise<AttemptEnd> => {
  const { name: operation, method, path, outcome, config } = call;
  const known: AttemptFacts = {
    attempts: attempt - 1,
    redactLine: createRedactLine(keys),
    wasHandedOver: false,
    facts: {},
    chunks: [],
  };

  const ask = async (signal: AbortSignal, limit: TimeLimit): Promise<Failure | undefined> => {
    known.attempts = attempt;
    const pending = config.readKey();
    const reading = pending instanceof Promise ? await pending : pending;
    const { key } = reading;
    if (key === undefined) return keyFailure(reading, known.redactLine);
    if (key !== null) keys.add(key);
    const { redactLine = known.redactLine } = reading;
    known.redactLine = redactLine;
    // Reads don't need this, because they are retried.
    const turn = outcome === undefined ? undefined : readSockets();
    if (turn !== undefined) await turn;
    if (signal.aborted) return undefined;

    const event = { operation, method, path, attempt };
    callHooks(config, "onRequest", event);
    const sentAt = performance.now();
    // The key function or the hook may have blocked the event loop until the time was over.
    if (sentAt >= limit.endsAt) return limit.failure;
    // After a long suspension, another process may have given this call up as lost and sent it
    // again.
    if (call.canSend?.() === false) {
      return { code: "timeout", what: "timed out after a suspension of the process" };
    }
    const response = await request.send(key, signal, known);
    if (signal.aborted) {
      // A caller's fetch may ignore the abort. Discard its response.
      await response.body?.cancel?.();
      return undefined;
    }

    lastAnswerAt = Date.now();
    const { status, headers } = response;
    const id = headers.get("x-request-id") || headers.get("request-id");
    const requestId = id ? redactLine(id) : undefined;
    const facts = { status, requestId, retryAfterMs: parseRetryAfter(headers) };
    Object.assign(known, { headers, facts });
    const durationMs = performance.now() - sentAt;
    callHooks(config, "onResponse", { ...event, ...facts, durationMs });
    callObserver("onResponse", call.onResponse, { ...facts, headers });
    return readBody(response, config.maxResponseBytes, signal, known.chunks);
  };

  const failure = await runWithin(
    call,
    (signal, limit) =>
      ask(signal, limit).catch((thrown) => {
        // Keep the error of `fetch`, if there is one: ky wraps it in its own.
        if (!("thrown" in known)) known.thrown = thrown;
        return connectionFailure(call, known);
      }),
    undefined,
    () => known.wasHandedOver,
  );
  // Copy the facts, because a step that ignores the abort may still change them.
  const { chunks, ...facts } = known;
  const text = decodeChunks(chunks);
  const bodyStayed = request.withdraw();
  return { ...facts, failure, bodyStayed, text, json: parseJsonBody(text) };
};
