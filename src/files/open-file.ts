import { showCaller } from "../client/errors/adgen-error.ts";
import type { ErrorCode, ErrorFields } from "../client/errors/error-fields.ts";
import { type AnyAdGenError, isAdGenError } from "../client/errors/errors.ts";
import { makeError } from "../client/errors/make-error.ts";
import { describeValue, oneLine } from "../client/errors/text.ts";
import { parseUrl } from "../client/internal/platform.ts";
import { sleep } from "../client/internal/sleep.ts";
import { parseRetryAfter } from "../client/options/headers.ts";
import { checkOptions, isObject, refuseArgument } from "../client/options/rules.ts";
import {
  type FileConfig,
  type FileOptions,
  fileDefaults,
  fileRules,
  nameOf,
  withoutSecrets,
} from "./file-options.ts";
import {
  type FileType,
  hasEnd,
  identify,
  maxEndBytes,
  minHeadBytes,
  typeOfBytes,
} from "./file-type.ts";

/** An open file, whose first bytes have arrived. */
export interface OpenedFile {
  /** Content of the file. It errors when the file breaks off, is too large or takes too long. */
  readonly body: ReadableStream<Uint8Array>;
  /** Content type by the first bytes, such as `image/png`. */
  readonly type: string;
  /** Extension for a name, with its dot, such as `.png`. */
  readonly extension: string;
}

/** `fetch` wraps the system's error in `cause`. Look at most this deep. */
const maxDepth = 5;

/** Minimum pause in milliseconds before a busy server is asked again, even if it asks for less. */
const minPauseMs = 1_000;

/**
 * Copies the innermost error of a failed `fetch`, without secrets. The original may hold the whole
 * URL, in `message` in Deno and in `path` in Bun.
 */
const copyRootCause = (thrown: unknown): Error & { readonly code?: string } => {
  let message = "";
  let code: string | undefined;
  let link = thrown;
  for (let depth = 0; isObject(link) && depth < maxDepth; depth++) {
    if (typeof link["message"] === "string" && link["message"] !== "") message = link["message"];
    if (typeof link["code"] === "string" && link["code"] !== "") code = oneLine(link["code"], 50);
    link = link["cause"];
  }
  const words = isObject(thrown) ? message || code || "unknown" : describeValue(thrown);
  const copy = new Error(oneLine(withoutSecrets(words)));
  return code === undefined ? copy : Object.assign(copy, { code });
};

const parseAddress = (address: string): URL => {
  const url = typeof address === "string" ? parseUrl(address) : undefined;
  if (url === undefined) {
    const given = typeof address === "string" ? withoutSecrets(address) : address;
    return refuseArgument(`the URL of a file must be absolute, got ${describeValue(given)}`);
  }
  const refuse = (reason: string) => refuseArgument(`${nameOf(url)} is not fetched: ${reason}`);
  if (!/^(https?|data):$/.test(url.protocol)) refuse("use an http: or https: URL, or a data URL");
  // `fetch` would refuse such a URL with a message that holds the password.
  if (url.username || url.password) refuse("it must not hold a user or a password");
  return url;
};

/** Creates the error for an answer that is not a whole file. */
const statusError = (name: string, { status, headers }: Response): AnyAdGenError => {
  const retryAfterMs = parseRetryAfter(headers);
  const make = (code: ErrorCode, what: string) =>
    makeError(code, `${name} answered ${status}: ${what}`, { status, retryAfterMs });
  if (status === 429) return make("rate_limited", "its server is busy, try again later");
  if (status === 503) return make("server_error", "its server is busy, try again later");
  if (status >= 500) return make("server_error", "its server has failed, try again later");
  if (status < 400) return make("unexpected_status", "this is not the whole file");
  const code = status === 404 ? "not_found" : "unexpected_status";
  return make(code, "its URL may have expired, get the job again for a fresh one");
};

/**
 * Starts the timer of a file. `error` is set when the time is over or the caller's signal aborts.
 */
const startTimer = (name: string, { timeoutMs, signal }: FileConfig) => {
  const controller = new AbortController();
  const endsAt = performance.now() + timeoutMs;
  const time = {
    signal: controller.signal,
    error: undefined as AnyAdGenError | undefined,
    leftMs: () => endsAt - performance.now(),
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      controller.abort();
    },
  };
  const stop = (error: AnyAdGenError) => {
    time.error = error;
    controller.abort(error);
  };
  const onAbort = () =>
    stop(makeError("aborted", `${name} was aborted`, { cause: signal?.reason }));
  const timer: ReturnType<typeof setTimeout> & { unref?: () => void } = setTimeout(
    () => stop(makeError("timeout", `${name} took longer than ${timeoutMs} ms (timeoutMs)`)),
    timeoutMs,
  );
  // The timer of a body that nobody reads must not keep the process alive.
  timer.unref?.();
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  return time;
};

type Time = ReturnType<typeof startTimer>;

/**
 * Refuses compression. It makes pictures hardly smaller, and not every runtime notices that half of
 * a compressed body is missing.
 */
const identity = { headers: { "accept-encoding": "identity" } };

/**
 * Requests a file. Repeats the request while the server is busy and asks for a wait that fits the
 * time.
 */
const request = async (url: URL, name: string, time: Time): Promise<Response> => {
  // If the fetch of a data URL is aborted, Node throws an error that nobody can catch.
  const isData = url.protocol === "data:";
  // If a program sets this header, Deno does not decode the body. Otherwise Deno decodes it, and
  // notices a missing end.
  const asked = "Deno" in globalThis ? {} : identity;
  const init = isData ? {} : { ...asked, signal: time.signal };
  for (;;) {
    if (time.error) throw time.error;
    const response = await fetch(url, init);
    // A 203 is a whole file that a proxy has changed.
    if (response.status === 200 || response.status === 203) return response;
    await response.body?.cancel();
    const error = statusError(name, response);
    const { status, retryAfterMs } = error;
    const mayRepeat = status === 429 || status === 503;
    if (!mayRepeat || retryAfterMs === undefined) throw error;
    const pauseMs = Math.max(retryAfterMs, minPauseMs);
    if (pauseMs >= time.leftMs()) throw error;
    await sleep(pauseMs, time.signal);
  }
};

/** Whether a program can choose the coding. Browsers choose it, and hide it across origins. */
const canChooseCoding = (): boolean =>
  new Request("http://localhost", identity).headers.has("accept-encoding");

/** Creates the check that a file has arrived whole, from its headers. */
const createEndCheck = (headers: Headers) => {
  const coding = headers.get("content-encoding") || "identity";
  const length = headers.get("content-length");
  const isCoded = coding !== "identity";
  const isTold = canChooseCoding();

  /** Describes what is missing at the end, or returns `undefined` if nothing is missing. */
  return (bytes: number, { type }: FileType, tail: Uint8Array): string | undefined => {
    const isOfLength = length !== null && bytes === Number(length);
    if (isTold && !isCoded && length !== null && !isOfLength) {
      return `has ended after ${bytes} of ${oneLine(length, 20)} bytes`;
    }
    const isThere = hasEnd(type, tail);
    if (isTold && isCoded && isThere === undefined) {
      return `came as ${oneLine(coding, 20)} although identity was asked for, so its end cannot be checked`;
    }
    // Node and Chromium accept a compressed body that was cut off. Node and Bun take a reset
    // connection for the end of a file without a length.
    const isProved = !isCoded && (isOfLength || headers.has("transfer-encoding"));
    return !isProved && isThere === false ? "has ended too early" : undefined;
  };
};

const concat = (chunks: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
};

export const openWith = async (address: string, config: FileConfig): Promise<OpenedFile> => {
  const { maxBytes } = config;
  const url = parseAddress(address);
  const name = nameOf(url);
  const time = startTimer(name, config);
  const toError = (error: unknown): unknown => {
    time.end();
    if (time.error !== undefined) return time.error;
    if (isAdGenError(error)) return error;
    const cause = copyRootCause(error);
    const code = cause.code === undefined ? "" : ` (${cause.code})`;
    const what = `could not be fetched to its end${code}`;
    return makeError("connection", `${name} ${what}`, { cause });
  };
  const refuse = (reason: "data" | "too-large", what: string, fields?: ErrorFields): never => {
    throw makeError("decode", `${name} ${what}`, { reason, issues: [], ...fields });
  };
  const checkSize = (bytes: number) => {
    if (bytes > maxBytes) refuse("too-large", `has more than ${maxBytes} bytes (maxBytes)`);
  };

  try {
    const response = await request(url, name, time);
    const { headers, status } = response;
    checkSize(Number(headers.get("content-length")));
    const findMissing = url.protocol === "data:" ? undefined : createEndCheck(headers);
    const reader = response.body?.getReader() ?? refuse("data", "is empty");
    let bytes = 0;
    let tail = new Uint8Array();
    const read = async (): Promise<Uint8Array | undefined> => {
      const { value } = await reader.read();
      if (value === undefined) return undefined;
      bytes += value.byteLength;
      checkSize(bytes);
      tail = concat([tail, value.subarray(-maxEndBytes)]).slice(-maxEndBytes);
      return value;
    };

    const first: Uint8Array[] = [];
    const isKnown = () => bytes >= minHeadBytes && typeOfBytes(concat(first)) !== undefined;
    while (bytes < maxEndBytes && !isKnown()) {
      const chunk = await read();
      if (chunk === undefined) break;
      first.push(chunk);
    }
    if (bytes === 0) refuse("data", "is empty");
    const contentType = headers.get("content-type") ?? "";
    const type = identify(concat(first), contentType, url.protocol === "data:" ? "" : url.pathname);
    if (typeof type === "string") {
      const what = `answered ${status} with ${oneLine(type, 50)} in place of a file`;
      const advice = "its URL may have expired, or be the address of a page";
      return refuse("data", `${what}: ${advice}`, { status, contentType });
    }
    const body = new ReadableStream<Uint8Array>({
      async pull(stream) {
        try {
          const chunk = first.shift() ?? (await read());
          if (chunk !== undefined) return stream.enqueue(chunk);
          const missing = findMissing?.(bytes, type, tail);
          if (missing !== undefined) throw makeError("connection", `${name} ${missing}`);
          stream.close();
          time.end();
        } catch (error) {
          stream.error(toError(error));
        }
      },
      cancel: time.end,
    });
    return { body, ...type };
  } catch (error) {
    throw toError(error);
  }
};

/**
 * Opens the file at a URL of a result, to stream it elsewhere: into an object storage, or to a
 * page. Nothing but the URL is sent, neither your API key nor cookies of another origin. Redirects
 * are followed. A server that is busy (429, 503) is asked again after its `Retry-After`, where that
 * fits `timeoutMs`.
 *
 * Read `body` to its end, or cancel it. Its errors are those that are listed here.
 *
 * @param url An http:, https: or data URL.
 * @throws `AdGenError`
 * - `invalid_request`: the URL has another protocol, or an option makes no sense. Nothing was sent.
 * - `not_found`: the server answered 404. The URL may have expired.
 * - `rate_limited`, `server_error`: the server is busy or has failed.
 * - `unexpected_status`: the server answered with another status than 200, as for a URL that has
 *   expired, or with a part of the file.
 * - `decode`: the file is larger than `maxBytes` (`reason` is `too-large`), or it is empty or a
 *   text such as an HTML page (`reason` is `data`).
 * - `connection`: the file broke off. The `cause` contains no query of a URL.
 * - `timeout`: the file took longer than `timeoutMs`.
 * - `aborted`: `signal` was aborted.
 * @see The guide "Saving results"
 * @example
 * const { body, type, extension } = await openFile(url);
 * await upload({ Key: `ads/1${extension}`, Body: body, ContentType: type });
 */
export const openFile = async (url: string, options: FileOptions = {}): Promise<OpenedFile> => {
  try {
    const config = checkOptions("openFile", fileRules(), options, refuseArgument, fileDefaults);
    return await openWith(url, config);
  } catch (error) {
    throw showCaller(error);
  }
};
