import { notSentKey } from "../../contract/not-sent.ts";
import type { Failure } from "../errors/make-error.ts";
import { type Clean, describeValue } from "../errors/text.ts";
import type { KeyFailure } from "../options/client-options.ts";
import type { AttemptEnd, Call, Progress } from "./call.ts";

/** Message for a body that the caller's `fetch` has read. */
export const bodyWasRead = "your fetch has read the body already: return response.clone() instead";

/** A copy of an error, as far as it is looked at. */
interface CopiedError {
  readonly code: string;
  readonly message: string;
  /** Code, system call and message in one line, for the patterns below. */
  readonly line: string;
  /** Its mark: `true` by `markAsNotSent`, and the URL of the request where the mock refuses one. */
  readonly mark: unknown;
}

/** A `fetch` hangs the system's error below its own; more levels than this are no chain. */
const maxDepth = 5;

/** Copies an error and its causes, the outermost first. Reading foreign errors can throw. */
const chainOf = (thrown: unknown): CopiedError[] => {
  const chain: CopiedError[] = [];
  try {
    let link = thrown as Partial<Record<string, unknown>> | null | undefined;
    while (typeof link === "object" && link !== null && chain.length < maxDepth) {
      const { code = "", message = "", syscall = "", cause } = link;
      const mark = (link as { [notSentKey]?: unknown })[notSentKey];
      const line = `${code}|${syscall}|${message}`;
      chain.push({ code: `${code}`, message: `${message}`, line, mark });
      link = cause as typeof link;
    }
  } catch {
    // What was read so far has to do.
  }
  return chain;
};

/**
 * Whether only system calls failed that look up the service's address or connect to it. Node tries all
 * addresses of a host, and throws an `AggregateError` of what they met.
 */
const isOfConnecting = (thrown: unknown): boolean => {
  try {
    let link = thrown as { syscall?: unknown; errors?: unknown; cause?: unknown } | undefined;
    for (let depth = 0; typeof link === "object" && link !== null && depth < maxDepth; depth++) {
      const { syscall, errors, cause }: typeof link = link;
      if (Array.isArray(errors)) return errors.length > 0 && errors.every(isOfConnecting);
      if (syscall !== undefined) return /^(connect|getaddrinfo|query[A-Z]\w*)$/.test(`${syscall}`);
      link = cause as typeof link;
    }
  } catch {
    // An error that cannot be read proves nothing.
  }
  return false;
};

const says = (chain: readonly CopiedError[], patterns: readonly RegExp[]): boolean =>
  chain.some(({ line }) => patterns.some((pattern) => pattern.test(line)));

/** The service's certificate was refused here; an alert means that it refused ours. */
const refusedCertificate = /^(?![^|]*ALERT)[^|]*(_CERT|CERT_|LEAF_SIGNATURE)/;

/** Errors of which a further attempt would not get rid. */
const lasting = [
  refusedCertificate,
  // The port speaks no TLS; the mock has no answer to this request.
  /^ERR_(SSL_WRONG_VERSION_NUMBER|MOCK_)/,
  /\|your fetch has read the body already/,
];

/**
 * Errors without a system call that prove that no connection was made, or none that could be trusted.
 * `ECONNRESET`, `EPIPE`, `ETIMEDOUT` and `UND_ERR_SOCKET` are not among them, because they also end
 * connections whose request was carried out.
 */
const unconnected = [
  // Undici's timer, Bun, Deno.
  /^(UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket)\|/,
  // Bun names no system call. The last ones say that this machine has no socket to connect with.
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|E(HOST|NET)(UNREACH|DOWN)|EINVAL|E[MN]FILE|ENOBUFS|EADDRNOTAVAIL)\|\|/,
  /client error \(Connect\)/,
  // TLS failed, and in the handshake: after it, the request's body would have been read.
  /^ERR_SSL_/,
  refusedCertificate,
  /disconnected before secure TLS connection/,
  // A proxy has made no tunnel.
  /^\w*\|\|Proxy response \(\d+\) !== 200/,
  // Node's fetch refused the request itself; its port is blocked.
  /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)\|/,
  /^\|\|bad port$/,
];

/** Whether a further attempt would end alike. */
export const isLasting = (thrown: unknown): boolean => says(chainOf(thrown), lasting);

/** Whether the end of an attempt proves that its request was not sent. */
export const isNotSent = (
  { config, url }: Call,
  { thrown, bodyStayed, failure }: Pick<AttemptEnd, "thrown" | "bodyStayed" | "failure">,
): boolean => {
  const chain = chainOf(thrown);
  // The mock has refused this very request. Its refusal of another proves nothing.
  if (chain.some(({ mark }) => mark === url)) return true;
  // A caller's fetch is believed when it says so.
  if (config.fetch) return chain[0]?.mark === true;
  // Other code may have wrapped the global fetch, and make other requests. So the runtime's error
  // needs a body that was never read; a DELETE has none, and no proof.
  if (!bodyStayed) return false;
  // The client gave up while the runtime was still connecting: it reads a body when it is connected.
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
 * Copies the error at the root of a foreign one. The original's chain may hold the request, and
 * with it the key; a vault's error may hold its token, a schema's error the value.
 */
export const rootCauseOf = (thrown: unknown, clean: Clean): RootCause => {
  // The innermost link with something to say: Node's fetch hangs an empty one below some errors.
  const { code = "", message = "" } =
    chainOf(thrown).findLast((link) => link.message || link.code) ?? {};
  const text = typeof thrown === "object" ? "unreadable" : `${describeValue(thrown)} was thrown`;
  const copy: RootCause = new Error(clean(message || code || text));
  if (code !== "") copy.code = clean(code);
  return copy;
};

/** Failure of an attempt for which the key function gave no key. */
export const keyFailure = ({ problem, cause: thrown }: KeyFailure, clean: Clean): Failure => {
  const what = "was not sent: the apiKey function";
  if (problem !== undefined) return { code: "config", what: `${what} ${problem}` };
  const cause = rootCauseOf(thrown, clean);
  return { code: "connection", what: `${what} failed: ${cause.message}`, cause };
};

/** Adds what to do to messages whose usual reason is known. */
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
  if (message === "fetch failed") return `${message} without a reason (a 407 ends so)`;
  return message;
};

/** Failure of an attempt that got no answer, or only a part of one. */
export const connectionFailure = (
  call: Call,
  { thrown, clean, headers, wasHandedOver }: Progress,
): Failure => {
  const cause = rootCauseOf(thrown, clean);
  const { message } = cause;
  // The runtime refused to make the request: it will again. Foreign AbortSignals are an example.
  if (!wasHandedOver) return { code: "config", what: `cannot be made here: ${message}`, cause };
  let what = `got no answer: ${explain(message, call)}`;
  if (headers !== undefined) {
    what = `${message.startsWith("your fetch") ? "could not be read" : "was cut off"}: ${message}`;
  }
  return { code: "connection", what, cause };
};
