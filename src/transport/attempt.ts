import type { TimeLimit } from "../call-time.ts";
import { cleanerFor, oneLine } from "../errors/text.ts";
import { notify } from "../hooks.ts";
import { runWithin } from "../run-within.ts";
import type { Call, Ending, ResponseHead } from "./call.ts";
import { createOneShotBody, type OneShotBody } from "./one-shot-body.ts";
import { decodeChunks, type ReadBody, readBody } from "./read-body.ts";
import { parseRetryAfter } from "./retry-after.ts";
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
  readonly progress: Progress;
}

const headOf = ({ status, headers }: Response, { clean }: Progress): ResponseHead => {
  const id = headers.get("x-request-id") || headers.get("request-id");
  const requestId = id ? clean(id) : undefined;
  return { status, headers, requestId, retryAfterMs: parseRetryAfter(headers) };
};

/** Sends the request and reads its answer. Tells whether it read the whole answer. */
const ask =
  ({ call, number, limit, body, startedAt, progress }: Attempt) =>
  async (signal: AbortSignal): Promise<boolean> => {
    const { method, path, url, headers, config } = call;
    const event = { method, path, attempt: number };
    const pending = config.readKey();
    // A key that is there lets the request leave at once, also from a process that is busy.
    const reading = pending instanceof Promise ? await pending : pending;
    const { key } = reading;
    if (key === undefined) {
      progress.keyFailure = reading;
      return false;
    }
    progress.clean = cleanerFor(key);
    if (signal.aborted) return false;

    notify("onRequest", config.hooks.onRequest, event);
    const sentAt = performance.now();
    // The key function and the hook may have used the time up, and have blocked the timer too.
    if (sentAt - startedAt >= limit.ms) {
      progress.timeOver = limit.label;
      return false;
    }
    const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
    const request = {
      ...{ method, url, body, signal, callersFetch: config.fetch },
      headers: { ...headers, ...authorization },
    };
    const response = await sendRequest(request, progress);
    if (signal.aborted) {
      // A caller's fetch ignored the abort: discard its answer.
      await response.body?.cancel?.();
      return false;
    }

    const head = headOf(response, progress);
    progress.head = head;
    const { headers: _, ...facts } = head;
    const durationMs = performance.now() - sentAt;
    notify("onResponse", config.hooks.onResponse, { ...event, ...facts, durationMs });
    notify("onResponse", call.onResponse, head);
    await readBody(response, config.maxResponseBytes, signal, progress);
    return progress.isWhole ?? false;
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
  const body = call.body && createOneShotBody(call.body.text);
  const progress: Progress = { wasHandedOver: false, clean: oneLine };
  const attempt = { call, number, limit, body, startedAt: performance.now(), progress };
  const stoppedBy = await runWithin(limit.ms, call.signal, ask(attempt)).catch(
    (thrown: unknown): undefined => {
      if (!("thrown" in progress)) progress.thrown = thrown;
    },
  );
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
