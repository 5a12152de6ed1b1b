import { cleanerFor, oneLine } from "../errors/text.ts";
import { notify } from "../hooks.ts";
import type { Call, Ending, TimeLimit } from "./call.ts";
import { createOneShotBody, type OneShotBody } from "./one-shot-body.ts";
import { decodeChunks, type ReadBody, readBody } from "./read-body.ts";
import { parseRetryAfter } from "./retry-after.ts";
import { runWithin } from "./run-within.ts";
import { sendRequest } from "./send-request.ts";

/** The facts of an attempt that is under way. */
type Progress = { -readonly [Fact in keyof Ending]: Ending[Fact] } & ReadBody;

/** One attempt of a call. */
interface Attempt {
  readonly call: Call;
  /** 1 for the first. */
  readonly number: number;
  readonly limit: TimeLimit;
  readonly body: OneShotBody | undefined;
  readonly startedAt: number;
}

/** Sends the request and reads its answer, noting in `progress` how far it came. */
const exchange = async (
  { call, number, limit, body, startedAt }: Attempt,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> => {
  const { method, path, url, headers, config, options } = call;
  const { hooks } = config;
  const event = { method, path, attempt: number };
  const pending = config.readKey();
  const reading = pending instanceof Promise ? await pending : pending;
  if (reading.key === undefined) {
    progress.keyFailure = reading;
    return;
  }
  const { key } = reading;
  const clean = cleanerFor(key);
  progress.clean = clean;
  if (signal.aborted) return;

  notify("onRequest", hooks.onRequest, event);
  const sentAt = performance.now();
  // The key function and the hook may have used the time up, and have blocked the timer too.
  if (sentAt - startedAt >= limit.ms) {
    progress.timeOver = limit.label;
    return;
  }
  const request = {
    method,
    url,
    headers: key === null ? headers : { ...headers, authorization: `Bearer ${key}` },
    body,
    signal,
    callersFetch: config.fetch,
  };
  const response = await sendRequest(request, {
    handOver: () => {
      signal.throwIfAborted(); // by the hook, or since
      progress.wasHandedOver = true;
    },
    fail: (thrown) => {
      progress.thrown = thrown;
    },
  });
  if (signal.aborted) {
    // A caller's fetch ignored the abort: discard its answer.
    await response.body?.cancel?.();
    return;
  }

  const id = response.headers.get("x-request-id") || response.headers.get("request-id");
  const head = {
    status: response.status,
    headers: response.headers,
    requestId: id ? clean(id) : undefined,
    retryAfterMs: parseRetryAfter(response.headers),
  };
  progress.head = head;
  const { headers: _, ...facts } = head;
  const durationMs = performance.now() - sentAt;
  notify("onResponse", hooks.onResponse, { ...event, ...facts, durationMs });
  notify("onResponse", options.onResponse, head);
  await readBody(response, config.maxResponseBytes, signal, progress);
};

/**
 * Makes one request, within its time and the caller's signal, and tells how it ended. It never
 * throws, and leaves nothing behind.
 */
export const makeAttempt = async (
  call: Call,
  number: number,
  limit: TimeLimit,
): Promise<Ending> => {
  const text = call.input.body;
  const body = text === undefined ? undefined : createOneShotBody(text);
  const attempt = { call, number, limit, body, startedAt: performance.now() };
  const progress: Progress = { wasHandedOver: false, clean: oneLine };
  const stoppedBy = await runWithin(limit.ms, call.options.signal, async (signal) => {
    await exchange(attempt, signal, progress).catch((thrown: unknown) => {
      if (!("thrown" in progress)) progress.thrown = thrown;
    });
    return progress.isWhole ?? false;
  });
  // A copy: what is still running must not change it.
  const { chunks, ...facts } = progress;
  return {
    ...facts,
    bodyStayed: body?.withdraw() ?? false,
    wasAborted: stoppedBy === "signal",
    ...(stoppedBy === "time" && { timeOver: limit.label }),
    ...(chunks !== undefined && { text: decodeChunks(chunks) }),
  };
};
