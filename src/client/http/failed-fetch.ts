import { notSentKey } from "../../contract/not-sent.ts";
import type { Failure } from "../errors/make-error.ts";
import { describeValue, type RedactLine } from "../errors/text.ts";
import type { KeyFailure } from "../options/client-options.ts";
import type { AttemptEnd, AttemptFacts, Call } from "./call.ts";

/** The message if the caller's `fetch` has already read the body. */
export const bodyWasRead = "your fetch has read the body already: return response.clone() instead";

/** The parts of an error that we look at. */
interface CopiedError {
  readonly code: string;
  readonly message: string;
  /** Code, system call and message in one line, for the patterns below. */
  readonly line: string;
  /** The mark: `true` from `markAsNotSent`, or the URL of a request that the mock refused. */
  readonly mark: unknown;
}

/** `fetch` wraps the system's error in `cause`. Look at most this deep. */
const maxDepth = 5;

/** Copies an error and its causes, outermost first. */
const chainOf = (thrown: unknown): CopiedError[] => {
  const chain: CopiedError[] = [];
  let link = thrown as Partial<Record<string, unknown>> | null | undefined;
  while (typeof link === "object" && link !== null && chain.length < maxDepth) {
    const { code = "", message = "", syscall = "", cause } = link;
    const mark = (link as { [notSentKey]?: unknown })[notSentKey];
    const line = `${code}|${syscall}|${message}`;
    chain.push({ code: `${code}`, message: `${message}`, line, mark });
    link = cause as typeof link;
  }
  return chain;
};

/**
 * Whether all failed system calls only looked up the service's address or connected to it. Node
 * tries every address of a host, and collects the failures in an `AggregateError`.
 */
const isOfConnecting = (thrown: unknown): boolean => {
  let link = thrown as { syscall?: unknown; errors?: unknown; cause?: unknown } | undefined;
  for (let depth = 0; typeof link === "object" && link !== null && depth < maxDepth; depth++) {
    const { syscall, errors, cause }: typeof link = link;
    if (Array.isArray(errors)) return errors.length > 0 && errors.every(isOfConnecting);
    if (syscall !== undefined) return /^(connect|getaddrinfo|query[A-Z]\w*)$/.test(`${syscall}`);
    link = cause as typeof link;
  }
  return false;
};

const says = (chain: readonly CopiedError[], patterns: readonly RegExp[]): boolean =>
  chain.some(({ line }) => patterns.some((pattern) => pattern.test(line)));

/**
 * Matches errors by which this machine refused the service's certificate. (An alert would mean that
 * the service refused ours.)
 */
const refusedCertificate = /^(?![^|]*ALERT)[^|]*(_CERT|CERT_|LEAF_SIGNATURE)/;

/** Errors that another attempt would meet again. */
const lasting = [
  refusedCertificate,
  // The port doesn't speak TLS, or the mock doesn't handle this request.
  /^ERR_(SSL_WRONG_VERSION_NUMBER|MOCK_)/,
  /\|your fetch has read the body already/,
];

/**
 * Errors without a system call which prove that no trusted connection was made. `ECONNRESET`,
 * `EPIPE`, `ETIMEDOUT` and `UND_ERR_SOCKET` prove nothing, because they can also happen after the
 * request was carried out.
 */
const unconnected = [
  // In order: undici's timer, Bun, Deno.
  /^(UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket)\|/,
  // Bun names no system call. The last two mean that this machine has no socket left.
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|E(HOST|NET)(UNREACH|DOWN)|EINVAL|E[MN]FILE|ENOBUFS|EADDRNOTAVAIL)\|\|/,
  /client error \(Connect\)/,
  // TLS failed during the handshake. After the handshake, the request's body would have been read.
  /^ERR_SSL_/,
  refusedCertificate,
  /disconnected before secure TLS connection/,
  // The network's proxy refused to open a tunnel.
  /^\w*\|\|Proxy response \(\d+\) !== 200/,
  // `fetch` itself refused the request, because its port is blocked.
  /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)\|/,
  /^\|\|bad port$/,
];

/** Whether another attempt would fail the same way. */
export const isLasting = (thrown: unknown): boolean => says(chainOf(thrown), lasting);

/** Whether the end of an attempt proves that its request was not sent. */
export const isNotSent = (
  { config, url }: Call,
  { thrown, bodyStayed, failure }: Pick<AttemptEnd, "thrown" | "bodyStayed" | "failure">,
): boolean => {
  const chain = chainOf(thrown);
  // The mock refused exactly this request. Refusing another request would prove nothing about this
  // one.
  if (chain.some(({ mark }) => mark === url)) return true;
  // The mark of a caller's `fetch` alone decides, because we can't see into that function.
  if (config.fetch) return chain[0]?.mark === true;
  // Other code may have wrapped the global fetch and make requests of its own. So an error is proof
  // only together with a body that was never read. A DELETE has no body, and therefore no proof.
  if (!bodyStayed) return false;
  // The client gave up while the runtime was still connecting: a runtime reads the body only once
  // it is connected.
  const wasGivenUp = failure?.code === "timeout" || failure?.code === "aborted";
  return wasGivenUp || isOfConnecting(thrown) || says(chain, unconnected);
};

/**
 * Marks an error that a `fetch` of yours throws for a request that never left this machine. The
 * client then takes the attempt as not sent, and may make it again. Without the mark the outcome
 * of a write is unknown as soon as your function was called.
 *
 * @returns The same error.
 * @example
 * const send = async (request: Request) => {
 *   if (!navigator.onLine) throw markAsNotSent(new Error("offline"));
 *   return fetch(request);
 * };
 */
export const markAsNotSent = <E extends object>(error: E): E =>
  Object.defineProperty(error, notSentKey, { value: true });

interface RootCause extends Error {
  code?: unknown;
}

/**
 * Copies the root cause of a foreign error. The original may hold secrets: the request with the API
 * key, a vault's token, or the value that a schema refused.
 */
export const rootCauseOf = (thrown: unknown, redactLine: RedactLine): RootCause => {
  // Take the innermost error that has a message, because Node's fetch puts an empty one below some
  // errors.
  const { code = "", message = "" } =
    chainOf(thrown).findLast((link) => link.message || link.code) ?? {};
  const text = typeof thrown === "object" ? "unreadable" : `${describeValue(thrown)} was thrown`;
  const copy: RootCause = new Error(redactLine(message || code || text));
  if (code !== "") copy.code = redactLine(code);
  return copy;
};

/** Describes the failure of an attempt whose key function gave no key. */
export const keyFailure = (
  { problem, cause: thrown }: KeyFailure,
  redactLine: RedactLine,
): Failure => {
  const what = "was not sent: the apiKey function";
  if (problem !== undefined) return { code: "config", what: `${what} ${problem}` };
  const cause = rootCauseOf(thrown, redactLine);
  return { code: "connection", what: `${what} failed: ${cause.message}`, cause };
};

/** Adds advice to messages whose usual reason is known. */
const explain = (message: string, call: Call): string => {
  if (message === "bad port") return `port ${new URL(call.url).port} is blocked by fetch`;
  if (message.includes("wrong version number")) {
    return "the service speaks no TLS (wrong version number): is baseUrl http, not https?";
  }
  const { hostname } = new URL(call.url);
  if (/(^|\.)example(\.(com|net|org))?$/.test(hostname) && /ENOTFOUND|EAI_AGAIN/.test(message)) {
    return `${message}: this is a placeholder; set baseUrl to the service's own address`;
  }
  if (
    /^(localhost|127\.|\[::1\])/.test(hostname) &&
    /ECONNREFUSED|ConnectionRefused/.test(message)
  ) {
    return `${message}: nothing listens there; is the server running (the mock: npx adgen-mock)?`;
  }
  if (/^(Headers|Body) Timeout Error/.test(message)) {
    return `${message}: Node's fetch waits 300 s at most, whatever timeoutMs is; set headersTimeout and bodyTimeout of undici's Agent`;
  }
  if (call.config.fetch && /(invalid|parse) url/i.test(message)) {
    return `${message}: your fetch does not take a Request; wrap it, and hand it request.url`;
  }
  if (message === "fetch failed") {
    return `${message} without a reason: does your network's proxy ask for a password (407)?`;
  }
  return message;
};

/** Describes the failure of an attempt that got no response, or only a part of one. */
export const connectionFailure = (
  call: Call,
  { thrown, redactLine, headers, wasHandedOver }: AttemptFacts,
): Failure => {
  const cause = rootCauseOf(thrown, redactLine);
  const { message } = cause;
  // The runtime refused to make the request, for example because of a foreign AbortSignal. It would
  // refuse every attempt.
  if (!wasHandedOver) return { code: "config", what: `cannot be made here: ${message}`, cause };
  let what = `got no answer: ${explain(message, call)}`;
  if (headers !== undefined) {
    what = `${message.startsWith("your fetch") ? "could not be read" : "was cut off"}: ${message}`;
  }
  return { code: "connection", what, cause };
};
