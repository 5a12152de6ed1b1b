import ky, { type Options } from "ky";
import { describeKind } from "../errors/text.ts";
import type { CustomFetch } from "../options/client-options.ts";
import type { OneShotBody } from "./one-shot-body.ts";

/** One request, before it is made into a `Request`. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: OneShotBody | undefined;
  readonly signal: AbortSignal;
  /** Absent: the global `fetch`. */
  readonly callersFetch: CustomFetch | undefined;
}

/** Observers of one request's way to `fetch`. */
export interface SendEvents {
  /** Called just before `fetch` is; what it throws keeps the request here. */
  readonly handOver: () => void;
  /** Called with what `fetch` has thrown, before ky wraps it. */
  readonly fail: (thrown: unknown) => void;
}

/** Asks for an answer of now. Some worker runtimes lack the field, and throw when it is named. */
const uncached = () =>
  "cache" in (globalThis.Request?.prototype ?? {}) ? ({ cache: "no-store" } as const) : {};

/**
 * Options for ky, each one named. ky reads one that is not named from `Object.prototype`. Other
 * code may have polluted that, and lead the request and the key elsewhere.
 */
const kyOptions = {
  retry: 0, // retry.ts decides
  timeout: false, // ky's covers no body that is read in pieces
  totalTimeout: false,
  throwHttpErrors: false, // judge.ts decides
  prefix: "",
  json: undefined,
  searchParams: "",
  hooks: undefined,
  onDownloadProgress: undefined,
  onUploadProgress: undefined,
};

/** Refuses what a fetch must not give. `Response.error()` has a status of 0, like a redirect. */
const requireResponse = (value: unknown): Response => {
  const { status, headers, type } = (value ?? {}) as Partial<Response>;
  if (typeof status !== "number" || typeof headers?.get !== "function") {
    throw new Error(`your fetch gave no Response, got ${describeKind(value)}`);
  }
  if (type === "error") throw new Error("your fetch gave Response.error()");
  return value as Response;
};

/**
 * Sends one request through ky, which makes it into a `Request` and calls `fetch` once.
 *
 * A caller's `fetch` gets the `Request`. The global one is called with an init, its signal inside.
 * Some frameworks answer anything else from memory, and a wait would never see the job move.
 */
export const sendRequest = (
  { method, url, headers, body, signal, callersFetch }: OutgoingRequest,
  { handOver, fail }: SendEvents,
): Promise<Response> => {
  const init = {
    ...uncached(),
    method,
    headers: { ...headers, ...body?.headers },
    body: body?.content,
    signal,
    redirect: "manual",
    ...(body !== undefined && { duplex: "half" }),
  } as const;
  const send = async (request: unknown): Promise<Response> => {
    const { fetch } = globalThis;
    handOver();
    try {
      return requireResponse(
        await (callersFetch === undefined
          ? fetch(url, init as RequestInit)
          : callersFetch(request as Request)),
      );
    } catch (thrown) {
      fail(thrown);
      throw thrown;
    }
  };
  // Body and signal are costly in a `Request`, so only a caller's `fetch` gets them there.
  const forRequest = callersFetch === undefined ? { body: undefined, signal: undefined } : {};
  // ky's types know no `undefined`; ky itself takes it for an absent option.
  const options: object = { ...kyOptions, ...init, ...forRequest, fetch: send };
  return ky(url, options as Options);
};
