import type { KyInstance } from "ky";
import type { CallConfig } from "./call-options.ts";
import type { ClientConfig } from "./config.ts";
import type { Endpoint } from "./contract/endpoint.ts";
import { decodeAnswer, type Progress } from "./decode.ts";
import type { ErrorContext } from "./error-context.ts";
import { oneLine } from "./errors.ts";
import { failureOf } from "./failure.ts";
import { observe, type RequestEvent } from "./hooks.ts";
import { readBody } from "./read-body.ts";
import { parseRetryAfter } from "./retry.ts";
import { decodeError } from "./standard-schema.ts";
import type { CallInput } from "./transport.ts";

/** What is sent in every attempt of a call. */
export interface CallRequest {
  readonly endpoint: Endpoint;
  readonly url: string;
  readonly input: CallInput;
  /** What errors say of the call; of a write, its outcome before this attempt. */
  readonly known: ErrorContext & Pick<RequestEvent, "method" | "path">;
}

/** One attempt of a call. */
export interface Attempt {
  readonly request: CallRequest;
  readonly config: ClientConfig;
  readonly call: CallConfig;
  readonly http: KyInstance;
  /** 1 for the first. */
  readonly number: number;
  /** Body included. */
  readonly timeoutMs: number;
}

/** Sends the request and reads its answer, noting in `progress` how far it came. */
const exchange = async (
  { request, config, call, http, number }: Attempt,
  progress: Progress,
  signal: AbortSignal,
): Promise<unknown> => {
  const { endpoint, url, input, known } = request;
  const { body } = input;
  const { method, path } = known;
  const { hooks, maxResponseBytes } = config;
  const event = { method, path, attempt: number };

  const key = await config.readKey();
  const clean = (text: string) => oneLine(key ? text.replaceAll(key, "***") : text);
  progress.clean = clean;
  signal.throwIfAborted();
  observe(hooks, "onRequest", event);
  const sentAt = performance.now();
  const response = await http(url, {
    method,
    headers: {
      ...call.headers,
      accept: "application/json",
      ...(body && { "content-type": "application/json" }),
      ...(key && { authorization: `Bearer ${key}` }),
    },
    ...(body && { body }),
    signal,
    fetch: (sent) => {
      signal.throwIfAborted(); // by the hook, or since
      progress.context = { ...known, outcome: known.outcome && "unknown" };
      return config.fetch(sent as Request);
    },
  });
  const durationMs = performance.now() - sentAt;
  if (signal.aborted) return response.body?.cancel(); // came of a fetch that does not heed it

  const { status, headers } = response;
  const requestId = headers.get("x-request-id");
  const about = {
    status,
    requestId: requestId ? clean(requestId) : undefined,
    retryAfterMs: parseRetryAfter(headers),
  };
  Object.assign(progress.context, about);
  observe(hooks, "onResponse", { ...event, ...about, durationMs });
  observe(call, "onResponse", { ...about, headers });

  const text = await readBody(response, maxResponseBytes, signal);
  if (text === undefined && response.ok) {
    throw decodeError(`more than ${maxResponseBytes} bytes`, progress.context);
  }
  const data = await decodeAnswer(endpoint, input, progress, text);
  return input.read ? input.read(data, progress) : data;
};

/** Makes one request, within its time and the caller's signal; leaves nothing behind. */
export const makeAttempt = async (attempt: Attempt): Promise<unknown> => {
  const outer = attempt.call.signal;
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort();
  const { known } = attempt.request;
  const progress: Progress = {
    before: known.outcome,
    context: known,
    clean: String, // until there is a key to cut out
  };
  const timer = setTimeout(() => {
    progress.expired = true;
    abort();
  }, attempt.timeoutMs);
  outer?.addEventListener("abort", abort, { once: true });
  try {
    // A fetch or an apiKey function of the caller's may not heed the signal; the call does.
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    return await Promise.race([exchange(attempt, progress, signal), aborted]);
  } catch (error) {
    throw failureOf(error, progress, outer);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", abort);
    abort(); // ends what still runs: an answer that was not read to its end, a late apiKey
  }
};
