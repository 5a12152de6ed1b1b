import {
  type AdGenClient,
  type AnyAdGenError,
  type CallOptions,
  type CreateBrandRequest,
  type CreateSavedAdRequest,
  createClient,
  isAdGenError,
  type JobRequest,
} from "adgen-sdk";
import { type EndpointName, endpoints } from "../contract/endpoint.ts";
import * as codesThat from "../errors/code-table.ts";
import { createRedact } from "../errors/text.ts";
import { forgetOldest } from "../forget-oldest.ts";
import { isObject } from "../options/rules.ts";
import { parseUrl } from "../parse-url.ts";
import { fail, type ProxyAnswer, succeed } from "./answer.ts";
import type { ProxyConfig } from "./resolve-proxy-config.ts";

/** One call for the service. */
export interface UpstreamCall {
  readonly name: EndpointName;
  readonly id?: string | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** Whether it may be sent yet: after too long, a repeat of it would be told that it is lost. */
  readonly canSend?: (() => boolean) | undefined;
  /** Ends the call; absent for writes, which nothing may cut. */
  readonly signal?: AbortSignal | undefined;
}

/** One thing of the service: a job, a brand or an ad. */
export type Thing = Readonly<Record<string, unknown>>;

/** The end of a call. */
export interface Sent {
  /**
   * Creates the answer for the page; of a success, with these data in the place of its own. It throws
   * for data that are too deep for JSON: first note what was made.
   */
  readonly toAnswer: (data?: unknown) => ProxyAnswer;
  /** Of a success: a thing, or the things of a list. */
  readonly data?: unknown;
  /** Job that exists, though its submission failed. */
  readonly jobId?: string | undefined;
}

/** Calls of the client by name. The service checks what the bodies say. */
const calls: Readonly<
  Record<
    EndpointName,
    (client: AdGenClient, id: string, body: Thing, options?: CallOptions) => Promise<unknown>
  >
> = {
  "jobs.submit": ({ jobs }, _, body, options) =>
    jobs.submit(body as unknown as JobRequest, options),
  "jobs.get": ({ jobs }, id, _, options) => jobs.get(id, options),
  "jobs.list": async ({ jobs }, _, __, options) => (await jobs.list({}, options)).items,
  "brands.list": async ({ brands }, _, __, options) =>
    (await brands.list(undefined, options)).items,
  "brands.create": ({ brands }, _, body, options) =>
    brands.create(body as CreateBrandRequest, options),
  "brands.update": ({ brands }, id, body, options) => brands.update(id, body, options),
  "brands.delete": ({ brands }, id, _, options) => brands.delete(id, options),
  "brands.listAds": async ({ brands }, id, _, options) =>
    (await brands.listAds(id, undefined, options)).items,
  "savedAds.create": ({ savedAds }, _, body, options) =>
    savedAds.create(body as CreateSavedAdRequest, options),
  "savedAds.delete": ({ savedAds }, id, _, options) => savedAds.delete(id, options),
};

/** The most keys that are remembered, where a function gives them: earlier ones are on their way. */
const mostKeys = 10;

/** The longest words of the service that are passed on. */
const mostWords = 2_000;

const wordsOf = ({ received }: AnyAdGenError): string | undefined => {
  if (!isObject(received) || received["success"] !== false) return undefined;
  return typeof received["error"] === "string" ? received["error"] : "";
};

/** Status by which a page learns of a failure that it must not take for its own. */
const statusFor = ({ status = 0 }: AnyAdGenError): number =>
  status === 429 || (status >= 500 && status <= 599) ? status : 502;

/** Words for what the page must not see, or would take for its own fault. */
const describeFailure = ({ code, status = 0 }: AnyAdGenError): string => {
  if (status >= 500 && status <= 599) return `the service failed (${status})`;
  if (status === 401 || status === 403) return "the service refused the proxy";
  if (code === "timeout") return "the service did not answer in time";
  if (code === "decode" || status > 0) return "the service's answer could not be used";
  return "the service could not be reached, or its answer was lost";
};

const failedWith = (answer: ProxyAnswer): Sent => ({ toAnswer: () => answer });

export const createUpstream = (config: ProxyConfig, report: (error: unknown) => void) => {
  const { baseUrl, apiKey: ownKey, fetch, timeoutMs, maxResponseBytes } = config;
  /** The last keys that the service was sent, and may echo. */
  const keys = new Set<string>();
  const keep = (key: string): string => {
    forgetOldest(keys.add(key), mostKeys);
    return key;
  };
  const apiKey = typeof ownKey === "function" ? async () => keep(await ownKey()) : keep(ownKey);
  const redact = (text: string): string => createRedact(keys)(text);
  const bounds = { timeoutMs, maxResponseBytes, maxRetries: 0 };
  const client = createClient({ baseUrl, apiKey, fetch, ...bounds });

  const { host = "", hostname = "", origin } = parseUrl(String(baseUrl)) ?? {};
  // A name such as "ad" or "video" is cut where it stands alone: it is a part of other words.
  const isWord = /^[\w-]+$/.test(hostname);
  const name = isWord ? new RegExp(`(?<![\\w-])${hostname}(?![\\w-])`, "g") : hostname;
  const withoutHost = (words: string): string =>
    host === "" ? words : words.replaceAll(host, "***").replaceAll(name, "***");

  const redactId = (requestId: string | undefined) => requestId && redact(requestId);
  // Cut at the end alone: a part of a key is not found any more.
  const cleanWords = (words: string) => withoutHost(redact(words)).slice(0, mostWords);

  const failureOf = (error: AnyAdGenError, { signal }: UpstreamCall): Sent => {
    const { status, outcome, retryAfterMs, code, cause, received } = error;
    const requestId = redactId(error.requestId);
    const facts = { outcome, retryAfterMs, requestId };
    const words = wordsOf(error);
    if (code === "invalid_request") {
      return failedWith(fail(400, error.message, { outcome: "refused" }));
    }
    if (words !== undefined && codesThat.areForPages.includes(code)) {
      return failedWith(fail(status ?? 0, cleanWords(words), facts));
    }
    const message = describeFailure(error);
    if (signal?.aborted !== true) {
      // What the page must not see: where the service was asked, and why in vain.
      const reason = cause instanceof Error ? redact(cause.message) : undefined;
      report({ code, status, requestId, message, address: origin, reason });
    }
    // In a text that is no JSON, the id may be one that the page has sent in another spelling.
    const jobId = outcome === "unknown" && isObject(received) ? error.jobId : undefined;
    return { ...failedWith(fail(statusFor(error), message, { ...facts, jobId })), jobId };
  };

  /** Sends a call. It never rejects. */
  const send = async (call: UpstreamCall): Promise<Sent> => {
    const { name, id = "", body = {}, signal, canSend } = call;
    if (canSend?.() === false) {
      const words = "the proxy's store is too slow, so this request was not sent";
      return failedWith(fail(503, words, { outcome: "not-sent" }));
    }
    let info: Parameters<typeof onResponse>[0] | undefined;
    const onResponse: NonNullable<CallOptions["onResponse"]> = (response) => {
      info = response;
    };
    try {
      const data = await calls[name](client, id, body, { signal, onResponse });
      const { status = 200, requestId, retryAfterMs } = info ?? {};
      // A Response takes no body with these, and the page gets an envelope.
      const shown = status === 204 || status === 205 ? 200 : status;
      const facts = { requestId: redactId(requestId), retryAfterMs };
      return { data, toAnswer: (own = data) => succeed(shown, own, redact, facts) };
    } catch (error) {
      if (isAdGenError(error)) return failureOf(error, call);
      report(error);
      const outcome = endpoints[name].method === "GET" ? undefined : "unknown";
      return failedWith(fail(500, "the proxy failed", { outcome }));
    }
  };

  return { send, redact };
};

export type Upstream = ReturnType<typeof createUpstream>;
