import { parseJson } from "../answer/json.ts";
import type { TimeLimit } from "../call-time.ts";
import { cleanerFor, oneLine } from "../errors/text.ts";
import { notify } from "../hooks.ts";
import type { ResponseInfo } from "../options/call-options.ts";
import { runWithin } from "../run-within.ts";
import type { Call, Ending, Progress } from "./call.ts";
import { createOneShotBody, type OneShotBody } from "./one-shot-body.ts";
import { decodeChunks, readBody } from "./read-body.ts";
import { parseRetryAfter } from "./retry-after.ts";
import { sendRequest } from "./send-request.ts";

/** One attempt of a call. */
interface Attempt {
  readonly call: Call;
  /** 1 for the first. */
  readonly number: number;
  readonly limit: TimeLimit;
  readonly body: OneShotBody | undefined;
  readonly progress: Progress;
}

const headOf = ({ status, headers }: Response, { clean }: Progress): ResponseInfo => {
  const id = headers.get("x-request-id") || headers.get("request-id");
  const requestId = id ? clean(id) : undefined;
  return { status, headers, requestId, retryAfterMs: parseRetryAfter(headers) };
};

/** Sends the request and reads its answer. Tells whether it read the whole answer. */
const ask =
  ({ call, number, limit, body, progress }: Attempt) =>
  async (signal: AbortSignal): Promise<boolean> => {
    const { method, path, config } = call;
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
    if (sentAt >= limit.endsAt) {
      progress.timeOver = limit.label;
      return false;
    }
    // Another process may hold this call for lost by now, and send another.
    if (call.mayLeave?.() === false) {
      progress.timeOver = "a suspension of the process";
      return false;
    }
    const response = await sendRequest(call, key, body, signal, progress);
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
  const stoppedBy = await runWithin(
    limit.ms,
    call.signal,
    ask({ call, number, limit, body, progress }),
  ).catch((thrown: unknown): undefined => {
    if (!("thrown" in progress)) progress.thrown = thrown;
  });
  // A copy: what is still running must not change it.
  const { chunks, ...facts } = progress;
  const text = chunks && decodeChunks(chunks);
  return {
    ...facts,
    bodyStayed: body?.withdraw() ?? false,
    wasAborted: stoppedBy === "signal",
    ...(stoppedBy === "time" && { timeOver: limit.label }),
    ...(text !== undefined && { text, json: parseJson(text) }),
  };
};
