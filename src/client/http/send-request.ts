import ky from "ky";
import { describeKind } from "../errors/text.ts";
import type { ClientOptions } from "../options/client-options.ts";
import type { AttemptFacts, Call } from "./call.ts";

interface KnownRuntimes {
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly navigator?: { readonly userAgent?: string };
}

/**
 * Whether this runtime's `fetch` takes a stream as body over every protocol: Node does, and Bun and
 * Deno, which say that they are Node. A browser refuses one over HTTP/1.1, and Chromium's network
 * service has crashed over HTTP/2. Workers never send a request twice, and what has a document is taken for a browser.
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
   * Takes the body back, so that it cannot be read any more. `true` when no byte of it was read
   * before: then the request cannot have been carried out, whatever else has happened.
   */
  readonly withdraw: () => boolean;
}

/**
 * Creates a body that the runtime cannot send twice.
 *
 * Runtimes send a POST again by themselves when a reused connection ends before the answer (Deno),
 * or at a 421 (Node). They cannot do so with a stream, since it can be read only once.
 */
const createOneShotBody = (text: string): OneShotBody => {
  // A text may have been read without a sign of it.
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
    // Without a length it would go out in chunks, which not every server takes.
    headers: { "content-length": String(bytes.byteLength) },
    withdraw: () => {
      const wasUntouched = state !== "read";
      state = "withdrawn";
      return wasUntouched;
    },
  };
};

/** What ky does not do here. It merges options slowly, so that each name costs time. */
const kyOptions = {
  retry: 0, // retry.ts decides
  timeout: false, // ky's covers no body that is read in pieces
  totalTimeout: false,
  throwHttpErrors: false, // interpret.ts decides
};

/** An instance may have these; and ky reads them from `Object.prototype`, which others may pollute. */
const unused = {
  json: undefined,
  body: undefined,
  signal: undefined,
  onDownloadProgress: undefined,
  onUploadProgress: undefined,
};

/** Refuses what a caller's function must not give. `Response.error()` has status 0, like a redirect. */
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
  /** Notes the error that `fetch` has thrown. */
  readonly send: (
    key: string | null,
    signal: AbortSignal,
    known: Pick<AttemptFacts, "wasHandedOver" | "thrown">,
  ) => Promise<Response>;
  /** Takes its body back: see {@link OneShotBody}. `false` for a request without one. */
  readonly withdraw: () => boolean;
}

/**
 * Creates the request of an attempt. It goes through ky, which makes a `Request` of it, runs the hooks
 * of a caller's ky, and calls `fetch` once.
 *
 * A caller's `fetch` gets a `Request`. The global one is called with an init, its signal inside.
 * Some frameworks answer anything else from memory, and a wait would never see the job move.
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
      // Some worker runtimes lack the field, and throw when it is named.
      ...("cache" in Request.prototype && { cache: "no-store" }),
      method,
      headers: { ...headers, ...authorization, ...body?.headers },
      body: body?.content,
      signal,
      redirect: "manual",
      ...(body !== undefined && { duplex: "half" }),
    } as RequestInit;

    /** What leaves: with the address and the headers that a caller's hooks have left, and our body. */
    const hooked = (request: Request): [url: string, init: RequestInit] => {
      if (callersKy === undefined) return [url, given];
      // Older versions have other options: with `prefixUrl`, they would send to another path.
      if (!knowsInit) throw new Error("your ky is too old: it must be 2.0 or newer");
      const { origin } = new URL(request.url);
      if (origin !== new URL(url).origin) throw new Error(`your ky leads to ${origin}`);
      return [request.url, { ...given, headers: request.headers }];
    };

    const callFetch = async (request: Request): Promise<Response> => {
      const { fetch } = globalThis;
      const leaving = hooked(request);
      if (signal.aborted) throw new Error("aborted"); // by a hook, or since
      // A caller's hook may have switched retries on: retry.ts alone sends again.
      if (known.wasHandedOver) throw known.thrown ?? new Error("your ky sends a request twice");
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
    // A hook of the caller's may have switched on what ky must not do here: ours runs last.
    const init = (options: object): void => {
      knowsInit = true;
      Object.assign(options, kyOptions);
    };
    const sendBy: NonNullable<ClientOptions["ky"]> = callersKy ?? ky;
    const response = await sendBy(url, {
      ...kyOptions,
      ...unused,
      // Only a caller's `fetch` or ky gets the `Request` that ky makes of these. A polluted `prefix`
      // would lead it elsewhere, with the key.
      ...((callersFetch ?? callersKy) && { ...given, prefix: "", searchParams: "" }),
      // Node reads a `Request`'s body early, and a hook could send it: neither proves "not-sent".
      ...(callersKy && { body: undefined }),
      hooks: callersKy && { init: [init] },
      fetch: callFetch,
    });
    return callersKy ? requireResponse(response, "ky") : response;
  };

  return { send, withdraw: () => body?.withdraw() ?? false };
};
