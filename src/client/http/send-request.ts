import ky from "ky";
import { describeKind } from "../errors/text.ts";
import type { ClientOptions } from "../options/client-options.ts";
import type { AttemptFacts, Call } from "./call.ts";

interface KnownRuntimes {
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly navigator?: { readonly userAgent?: string };
}

/**
 * Whether this runtime's `fetch` can send a stream over every protocol, as Node, Bun and Deno can.
 * Browsers refuse streams over HTTP/1.1, and Chromium has crashed over HTTP/2. A runtime with a
 * document counts as a browser. Cloud workers never send a request twice, so they need no stream.
 */
const takesStreams = (): boolean => {
  const { process, navigator } = globalThis as KnownRuntimes;
  const isNode =
    process?.versions?.node !== undefined && navigator?.userAgent !== "Cloudflare-Workers";
  return isNode && typeof ReadableStream === "function" && !("document" in globalThis);
};

/** A body that is ready to be sent, once. */
interface OneShotBody {
  readonly content: string | ReadableStream<Uint8Array>;
  /** Headers that the body needs. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Withdraws the body, so that it can't be read any more. Returns `true` if no byte of it was read
   * before: then the request can't have been carried out.
   */
  readonly withdraw: () => boolean;
}

/**
 * Creates a body that the runtime cannot send twice.
 *
 * Some runtimes resend a POST by themselves: Deno when a reused connection closes before the
 * response, Node after a 421. They can't resend a stream, because it can be read only once.
 */
const createOneShotBody = (text: string): OneShotBody => {
  // With a string body we can't tell whether it was read.
  if (!takesStreams()) return { content: text, headers: {}, withdraw: () => false };
  const bytes = new TextEncoder().encode(text);
  let state: "untouched" | "read" | "withdrawn" = "untouched";
  const content = new ReadableStream<Uint8Array>({
    type: "bytes",
    pull: (controller) => {
      if (state === "withdrawn") {
        controller.error(new Error("the call has ended"));
        return;
      }
      state = "read";
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return {
    content,
    // Without a length, the body would be sent in chunks, which some servers refuse.
    headers: { "content-length": String(bytes.byteLength) },
    withdraw: () => {
      const wasUntouched = state !== "read";
      state = "withdrawn";
      return wasUntouched;
    },
  };
};

/** Turns off what ky must not do here. Each option costs time, because ky merges them slowly. */
const kyOptions = {
  retry: 0, // retry.ts decides
  timeout: false, // ky's timeout doesn't cover a body that is read in chunks
  totalTimeout: false,
  throwHttpErrors: false, // interpret.ts decides
};

/**
 * Options that a caller's instance may have set. ky also reads them from `Object.prototype`, which
 * other code may have polluted.
 */
const unused = {
  json: undefined,
  body: undefined,
  signal: undefined,
  onDownloadProgress: undefined,
  onUploadProgress: undefined,
};

/**
 * Refuses an unusable response of a caller's function. `Response.error()` has status 0, like a
 * redirect in a browser.
 */
const requireResponse = (value: unknown, giver: "fetch" | "ky"): Response => {
  const { status, headers, type } = (value ?? {}) as Partial<Response>;
  if (typeof status !== "number" || typeof headers?.get !== "function") {
    throw new Error(`your ${giver} gave no Response, got ${describeKind(value)}`);
  }
  if (type === "error") throw new Error(`your ${giver} gave Response.error()`);
  return value as Response;
};

/** One request, which can be sent once. */
export interface OneShotRequest {
  /** Sends the request, and notes the error that `fetch` throws. */
  readonly send: (
    key: string | null,
    signal: AbortSignal,
    known: Pick<AttemptFacts, "wasHandedOver" | "thrown">,
  ) => Promise<Response>;
  /** Withdraws the body: see {@link OneShotBody}. Returns `false` for a request without a body. */
  readonly withdraw: () => boolean;
}

/**
 * Creates the request of an attempt. ky makes a `Request` of it, runs the hooks of a caller's ky,
 * and calls `fetch` once.
 *
 * A caller's `fetch` gets a `Request`. The global `fetch` is called with a URL and an init that
 * holds the signal: some frameworks memoise any other call, and a wait would never see its job
 * change.
 */
export const createRequest = (call: Call): OneShotRequest => {
  const { method, url, headers, config } = call;
  const { fetch: callersFetch, ky: callersKy } = config;
  const body = call.body && createOneShotBody(call.body.text);

  const send: OneShotRequest["send"] = async (key, signal, known) => {
    /** Whether a caller's ky runs hooks of the kind `init`, which came with version 2. */
    let knowsInit = false;
    const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
    const given = {
      // Some worker runtimes lack this field, and throw if it is set.
      ...("cache" in Request.prototype && { cache: "no-store" }),
      method,
      headers: { ...headers, ...authorization, ...body?.headers },
      body: body?.content,
      signal,
      redirect: "manual",
      ...(body !== undefined && { duplex: "half" }),
    } as RequestInit;

    /**
     * The request that is sent: address and headers as the caller's hooks left them, and our own
     * body.
     */
    const hooked = (request: Request): [url: string, init: RequestInit] => {
      if (callersKy === undefined) return [url, given];
      // ky 1 has other options: with `prefixUrl`, it would send to another path.
      if (!knowsInit) throw new Error("your ky is too old: it must be 2.0 or newer");
      const { origin } = new URL(request.url);
      if (origin !== new URL(url).origin)
        throw new Error(
          `your ky sends the request to ${origin}: it must stay on the origin of baseUrl`,
        );
      return [request.url, { ...given, headers: request.headers }];
    };

    const callFetch = async (request: Request): Promise<Response> => {
      const { fetch } = globalThis;
      const leaving = hooked(request);
      if (signal.aborted) throw new Error("aborted"); // by a hook, or since
      // A caller's hook may have turned ky's retries on, but only retry.ts may send again.
      if (known.wasHandedOver)
        throw known.thrown ?? new Error("your ky sends a request twice: turn its retries off");
      known.wasHandedOver = true;
      try {
        const answer = callersFetch
          ? callersFetch(callersKy ? new Request(...leaving) : request)
          : fetch(...leaving);
        return requireResponse(await answer, "fetch");
      } catch (thrown) {
        known.thrown = thrown;
        throw thrown;
      }
    };
    // Our hook runs last, because a caller's hook may have turned on what ky must not do here.
    const init = (options: object): void => {
      knowsInit = true;
      Object.assign(options, kyOptions);
    };
    const sendBy: NonNullable<ClientOptions["ky"]> = callersKy ?? ky;
    const response = await sendBy(url, {
      ...kyOptions,
      ...unused,
      // Only a caller's `fetch` or ky gets the `Request` that ky makes. A polluted `prefix` would
      // send it to another host, with the key.
      ...((callersFetch ?? callersKy) && { ...given, prefix: "", searchParams: "" }),
      // An unread body proves that nothing was sent. That doesn't hold for the body of a `Request`,
      // which Node reads early and a hook of the caller may send, so ky gets no body here.
      ...(callersKy && { body: undefined }),
      hooks: callersKy && { init: [init] },
      fetch: callFetch,
    });
    return callersKy ? requireResponse(response, "ky") : response;
  };

  return { send, withdraw: () => body?.withdraw() ?? false };
};
