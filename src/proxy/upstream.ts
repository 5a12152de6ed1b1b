import { type AnyAdGenError, type CallOptions, createClient, isAdGenError } from "adgen-sdk";
import { codesForPages } from "../client/errors/code-groups.ts";
import { createRedact } from "../client/errors/text.ts";
import { forgetOldest } from "../client/internal/job-memory.ts";
import { parseUrl } from "../client/internal/platform.ts";
import { isObject } from "../client/options/rules.ts";
import { type EndpointName, endpoints } from "../contract/endpoint.ts";
import { failureAnswer, type ProxyAnswer, successAnswer } from "./answer.ts";
import type { ProxyConfig } from "./resolve-proxy-config.ts";
import { upstreamCalls } from "./upstream-calls.ts";
import { describeFailure, serviceWordsOf, statusFor } from "./upstream-failures.ts";

/** One call for the service. */
export interface UpstreamCall {
  readonly name: EndpointName;
  readonly id?: string | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** Returns false once a repeat of this call may already have been told that it was lost. */
  readonly canSend?: (() => boolean) | undefined;
  /** Ends the call. It is absent for writes, which go on when the page has gone. */
  readonly signal?: AbortSignal | undefined;
}

/** How a call ended. */
export interface Sent {
  /**
   * Creates the answer for the page. After a success, `data` replaces the service's data. It throws
   * for data that are too deep for JSON, so call it only when the created thing is on record.
   */
  readonly toAnswer: (data?: unknown) => ProxyAnswer;
  /** The thing, or the list of things, that the service has returned. */
  readonly data?: unknown;
  /** Job that exists, though its submission failed. */
  readonly jobId?: string | undefined;
}

/**
 * Number of keys to remember. Answers to requests with an earlier key may still be on their way.
 */
const maxKeys = 10;

/** Maximum length of a message of the service that is passed on, in characters. */
const maxWordsLength = 2_000;

const failedWith = (answer: ProxyAnswer): Sent => ({ toAnswer: () => answer });

export const createUpstream = (config: ProxyConfig, report: (error: unknown) => void) => {
  const { baseUrl, apiKey: ownKey, fetch, timeoutMs, maxResponseBytes } = config;
  /** The last keys that were sent to the service, which may echo them. */
  const keys = new Set<string>();
  const keep = (key: string): string => {
    forgetOldest(keys.add(key), maxKeys);
    return key;
  };
  const apiKey = typeof ownKey === "function" ? async () => keep(await ownKey()) : keep(ownKey);
  const redact = (text: string): string => createRedact(keys)(text);
  const bounds = { timeoutMs, maxResponseBytes, maxRetries: 0 };
  const client = createClient({ baseUrl, apiKey, fetch, ...bounds });

  const { host = "", hostname = "", origin } = parseUrl(String(baseUrl)) ?? {};
  // A host name such as "ad" is part of other words, so it is cut only where it stands alone.
  const isWord = /^[\w-]+$/.test(hostname);
  const name = isWord ? new RegExp(`(?<![\\w-])${hostname}(?![\\w-])`, "g") : hostname;
  const withoutHost = (words: string): string =>
    host === "" ? words : words.replaceAll(host, "***").replaceAll(name, "***");

  const redactId = (requestId: string | undefined) => requestId && redact(requestId);
  // The text is shortened last, because a part of a key would not be found.
  const redactWords = (words: string) => withoutHost(redact(words)).slice(0, maxWordsLength);

  const failureOf = (error: AnyAdGenError, { signal }: UpstreamCall): Sent => {
    const { status, outcome, retryAfterMs, code, cause, received } = error;
    const requestId = redactId(error.requestId);
    const facts = { outcome, retryAfterMs, requestId };
    const words = serviceWordsOf(error);
    if (code === "invalid_request") {
      return failedWith(failureAnswer(400, error.message, { outcome: "refused" }));
    }
    if (words !== undefined && codesForPages.includes(code)) {
      return failedWith(failureAnswer(status ?? 0, redactWords(words), facts));
    }
    const message = describeFailure(error);
    if (signal?.aborted !== true) {
      // Only the server's log gets the service's address and the reason of the failure.
      const reason = cause instanceof Error ? redact(cause.message) : undefined;
      report({ code, status, requestId, message, address: origin, reason });
    }
    // An id found in text that is not JSON may be an echo of the request.
    const jobId = outcome === "unknown" && isObject(received) ? error.jobId : undefined;
    return { ...failedWith(failureAnswer(statusFor(error), message, { ...facts, jobId })), jobId };
  };

  /** Sends a call. It never rejects. */
  const send = async (call: UpstreamCall): Promise<Sent> => {
    const { name, id = "", body = {}, signal, canSend } = call;
    if (canSend?.() === false) {
      const words = "the proxy's store or limits took too long, so this request was not sent";
      return failedWith(failureAnswer(503, words, { outcome: "not-sent" }));
    }
    let info: Parameters<typeof onResponse>[0] | undefined;
    const onResponse: NonNullable<CallOptions["onResponse"]> = (response) => {
      info = response;
    };
    try {
      const data = await upstreamCalls[name](client, id, body, { signal, onResponse });
      const { status = 200, requestId, retryAfterMs } = info ?? {};
      // A `Response` with status 204 or 205 cannot have a body, and the page needs an envelope.
      const shown = status === 204 || status === 205 ? 200 : status;
      const facts = { requestId: redactId(requestId), retryAfterMs };
      return { data, toAnswer: (own = data) => successAnswer(shown, own, redact, facts) };
    } catch (error) {
      if (isAdGenError(error)) return failureOf(error, call);
      report(error);
      const outcome = endpoints[name].method === "GET" ? undefined : "unknown";
      return failedWith(failureAnswer(500, "the proxy failed", { outcome }));
    }
  };

  return { send, redact };
};

export type Upstream = ReturnType<typeof createUpstream>;
