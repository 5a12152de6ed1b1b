import { notSentKey } from "../contract/not-sent.ts";

/** Message for a body that the caller's `fetch` has read. */
export const bodyWasRead = "your fetch has read the body already: return response.clone() instead";

/** A copy of an error, as far as it is looked at. */
export interface CopiedError {
  readonly code: string;
  readonly message: string;
  readonly syscall: string;
  /** Its mark: `true` by `markAsNotSent`, and the URL of the request where the mock refuses one. */
  readonly mark: unknown;
}

/** A `fetch` hangs the system's error below its own; more levels than this are no chain. */
const maxDepth = 5;

/** Copies an error and its causes, the outermost first. Reading foreign errors can throw. */
export const chainOf = (thrown: unknown): CopiedError[] => {
  const chain: CopiedError[] = [];
  try {
    let link = thrown as Partial<Record<string, unknown>> | null | undefined;
    while (typeof link === "object" && link !== null && chain.length < maxDepth) {
      const { code = "", message = "", syscall, cause } = link;
      const mark = (link as { [notSentKey]?: unknown })[notSentKey];
      chain.push({ code: `${code}`, message: `${message}`, syscall: `${syscall}`, mark });
      link = cause as typeof link;
    }
  } catch {
    // What was read so far has to do.
  }
  return chain;
};

/** Writes foreign values as text, also those that throw when they are asked for it. */
export const textOf = (value: unknown): string => {
  try {
    return String(value);
  } catch {
    return "unreadable";
  }
};

/** The service's certificate was refused here; an alert means that it refused ours. */
const refusedCertificate = /^(?!.*ALERT).*(_CERT|CERT_|LEAF_SIGNATURE)/;

/**
 * Tells whether a further attempt would end alike. Reasons: a certificate that is not trusted, a port
 * without TLS, a mock that refuses the request, a `fetch` that reads each body itself.
 */
export const isLasting = (thrown: unknown): boolean =>
  chainOf(thrown).some(
    ({ code, message }) =>
      refusedCertificate.test(code) ||
      /^ERR_(MOCK_|SSL_WRONG_VERSION_NUMBER)/.test(code) ||
      message === bodyWasRead,
  );

/**
 * Codes that prove that no connection was made, or none that could be trusted. `ECONNRESET`,
 * `EPIPE` and `UND_ERR_SOCKET` are not among them: they also end connections whose request was
 * carried out.
 */
const unconnectedCodes = [
  // Refused, not resolved, not reached in time. The last code is Bun's.
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/,
  // TLS failed, and in the handshake: after it, the request's body would have been read.
  /^ERR_SSL_/,
  refusedCertificate,
  // Node's fetch refused the request itself.
  /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)$/,
];

/** Codes that prove it only where the system call was `connect`. */
const unreachableCode = /^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

/** Messages that prove it: a blocked port, a proxy without a tunnel, an end before TLS. */
const unconnectedMessage =
  /^bad port$|^Proxy response \(\d+\) !== 200|disconnected before secure TLS connection/;

/**
 * Tells whether an error says that its request found no connection. An instrumented `fetch` may
 * make other requests too: the error proves nothing of ours unless its body has stayed here.
 */
export const foundNoConnection = (thrown: unknown): boolean =>
  chainOf(thrown).some(
    ({ code, message, syscall }) =>
      unconnectedCodes.some((pattern) => pattern.test(code)) ||
      unconnectedMessage.test(message) ||
      (syscall === "connect" && unreachableCode.test(code)),
  );

/** Tells whether the mock has refused this very request. Its refusal of another proves nothing. */
export const isRefusedAt = (thrown: unknown, url: string): boolean =>
  chainOf(thrown).some(({ mark }) => mark === url);

/** Tells whether a caller's `fetch` has marked the error that it has thrown. */
export const isMarkedNotSent = (thrown: unknown): boolean => chainOf(thrown)[0]?.mark === true;

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
