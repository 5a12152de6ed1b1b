import type { ErrorCode } from "../errors/error-fields.ts";
import { isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { describeValue, oneLine } from "../errors/text.ts";
import { isObject, refuseArgument } from "../options/rules.ts";
import {
  type FileConfig,
  type FileOptions,
  nameOf,
  parseUrl,
  resolveFileConfig,
} from "./file-options.ts";
import { endingOf, typeOfName } from "./media-types.ts";

/** A file whose first bytes are there. */
export interface OpenedFile {
  /** Content of the file. It errors when the file breaks off, is too large or takes too long. */
  readonly body: ReadableStream<Uint8Array>;
  /** Content type, such as `image/png`. */
  readonly type: string;
  /** Ending for a name, chosen by the type, such as `.png`. */
  readonly ending: string;
}

/** Types that storages send for any file. */
const anyType = ["", "application/octet-stream", "binary/octet-stream"];

/** A `fetch` hangs the system's error below its own; more levels than this are no chain. */
const maxDepth = 5;

/**
 * The code of the system's error, in brackets; empty where there is none. Its message is left out: in
 * Deno it holds the whole URL.
 */
const codeIn = (error: unknown): string => {
  let link = error;
  for (let depth = 0; isObject(link) && depth < maxDepth; depth++) {
    const { code } = link;
    if (typeof code === "string" && code !== "") return ` (${oneLine(code, 50)})`;
    link = link["cause"];
  }
  return "";
};

/** Reason why nothing is fetched from a URL. */
const refusalOf = (url: URL, origins: FileConfig["origins"]): string | undefined => {
  if (!/^https?:$/.test(url.protocol)) return "use an http: or https: URL, or a data URL";
  // `fetch` would refuse it with a message that holds the password.
  if (url.username || url.password) return "it must not hold a user or a password";
  if (origins === undefined || origins.includes(url.origin)) return undefined;
  return `add ${url.origin} to origins if you trust it`;
};

const refuseStatus = (name: string, status: number): never => {
  const refuse = (code: ErrorCode, todo: string): never => {
    throw makeError(code, `${name} answered ${status}: ${todo}`, { status });
  };
  // A browser hides the status of a redirect.
  if (status < 400) refuse("unexpected_status", "with origins, no redirect is followed");
  if (status >= 500) refuse("server_error", "try again later");
  const code = status === 404 ? "not_found" : "unexpected_status";
  return refuse(code, "its URL may have expired, get the job again for a fresh one");
};

export const openWith = async (address: string, config: FileConfig): Promise<OpenedFile> => {
  const { maxBytes, timeoutMs, signal, origins } = config;
  const url =
    parseUrl(address) ??
    refuseArgument(`the URL of a file must be absolute, got ${describeValue(address)}`);
  const name = nameOf(url);
  // Nothing leaves the process for a data URL.
  const isData = url.protocol === "data:";
  const refusal = isData ? undefined : refusalOf(url, origins);
  if (refusal !== undefined) return refuseArgument(`${name} is not fetched: ${refusal}`);

  const controller = new AbortController();
  const onAbort = () =>
    controller.abort(makeError("aborted", `${name} was aborted`, { cause: signal?.reason }));
  const timer: ReturnType<typeof setTimeout> & { unref?: () => void } = setTimeout(() => {
    const message = `${name} took longer than ${timeoutMs} ms (timeoutMs)`;
    controller.abort(makeError("timeout", message));
  }, timeoutMs);
  // A body that nobody reads must not keep the process alive.
  timer.unref?.();
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    controller.abort();
  };
  const toError = (error: unknown): unknown => {
    end();
    if (isAdGenError(error)) return error;
    const what = `could not be fetched to its end${codeIn(error)}`;
    return makeError("connection", `${name} ${what}`, { cause: error });
  };
  const refuse = (reason: "data" | "too-large", what: string, contentType?: string): never => {
    throw makeError("decode", `${name} ${what}`, { reason, issues: [], contentType });
  };
  const checkSize = (bytes: number) => {
    if (bytes > maxBytes) refuse("too-large", `has more than ${maxBytes} bytes (maxBytes)`);
  };

  try {
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    if (controller.signal.aborted) throw controller.signal.reason;
    const redirect = origins === undefined ? "follow" : "manual";
    // Node throws out of reach when the fetch of a data URL is aborted.
    const init = isData ? {} : ({ redirect, signal: controller.signal } as const);
    const response = await fetch(url, init);
    const { ok, status, headers } = response;
    if (!ok) return refuseStatus(name, status);
    const [sent = ""] = (headers.get("content-type") ?? "").toLowerCase().split(/[; ]/, 1);
    const type = anyType.includes(sent) ? (typeOfName(url.pathname) ?? sent) : sent;
    const what = `answered ${oneLine(type, 50) || "no content type"}`;
    const ending =
      endingOf(type) ?? refuse("data", `${what}, which is no known picture or video`, sent);
    checkSize(Number(headers.get("content-length")));
    const reader = response.body?.getReader() ?? refuse("data", "is empty");
    let bytes = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(stream) {
        try {
          const { done, value } = await reader.read();
          bytes += value?.byteLength ?? 0;
          checkSize(bytes);
          if (done && bytes === 0) refuse("data", "is empty");
          if (value !== undefined) return stream.enqueue(value);
          stream.close();
          end();
        } catch (error) {
          stream.error(toError(error));
        }
      },
      cancel: end,
    });
    return { body, type, ending };
  } catch (error) {
    throw toError(error);
  }
};

/**
 * Opens the file at a URL of a result, to stream it elsewhere: into an object storage, or to a page.
 * Nothing but the URL is sent, neither your API key nor cookies of another origin.
 *
 * Read `body` to its end, or cancel it. Its errors are those that are listed here.
 *
 * @param url An http:, https: or data URL.
 * @throws `InvalidRequestError` (`invalid_request`) for another URL, an origin that is not among
 * `origins`, or a wrong option. Nothing was sent.
 * @throws `NotFoundError` (`not_found`) or `ApiError` (`server_error`, `unexpected_status`) for any answer but a success; with `origins`, for a redirect too.
 * @throws `DecodeError` (`decode`): `reason` is `too-large` above `maxBytes`, and `data` for an empty
 * file or one that is no known picture or video.
 * @throws `ConnectionError` (`connection`) for a file that breaks off; `TimeoutError` (`timeout`) and
 * `AbortedError` (`aborted`), at the end of `timeoutMs` and by the signal.
 * @see The guide "Saving results"
 * @example
 * const { body, type, ending } = await openFile(url);
 * await upload({ Key: `ads/1${ending}`, Body: body, ContentType: type });
 */
export const openFile = async (url: string, options: FileOptions = {}): Promise<OpenedFile> =>
  openWith(url, resolveFileConfig("openFile", options));
