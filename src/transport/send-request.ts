import ky from "ky";
import { describeKind } from "../errors/text.ts";
import type { KyLike } from "../options/client-options.ts";
import type { Call, Progress } from "../request/call.ts";
import type { OneShotBody } from "./one-shot-body.ts";

/** What ky does not do here. It merges options slowly, so that each name costs time. */
const kyOptions = {
  retry: 0, // retry.ts decides
  timeout: false, // ky's covers no body that is read in pieces
  totalTimeout: false,
  throwHttpErrors: false, // judge.ts decides
};

/** An instance may have these; and ky reads them from `Object.prototype`, which others may pollute. */
const unused = {
  json: undefined,
  body: undefined,
  signal: undefined,
  onDownloadProgress: undefined,
  onUploadProgress: undefined,
};
const isPolluted = (): boolean => Object.keys(unused).some((name) => name in Object.prototype);

/** Refuses what a caller's function must not give. `Response.error()` has status 0, like a redirect. */
const requireResponse = (value: unknown, giver: "fetch" | "ky"): Response => {
  const { status, headers, type } = (value ?? {}) as Partial<Response>;
  if (typeof status !== "number" || typeof headers?.get !== "function") {
    throw new Error(`your ${giver} gave no Response, got ${describeKind(value)}`);
  }
  if (type === "error") throw new Error(`your ${giver} gave Response.error()`);
  return value as Response;
};

/**
 * Sends one request through ky, which makes a `Request` of it, runs the hooks of a caller's ky, and
 * calls `fetch` once. Notes the error that `fetch` has thrown.
 *
 * A caller's `fetch` gets a `Request`. The global one is called with an init, its signal inside.
 * Some frameworks answer anything else from memory, and a wait would never see the job move.
 */
export const sendRequest = async (
  { method, url, headers, config }: Call,
  key: string | null,
  body: OneShotBody | undefined,
  signal: AbortSignal,
  progress: Pick<Progress, "wasHandedOver" | "thrown">,
): Promise<Response> => {
  const { fetch: callersFetch, ky: callersKy } = config;
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const init = {
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
    if (callersKy === undefined) return [url, init];
    const { origin } = new URL(request.url);
    if (origin !== new URL(url).origin) throw new Error(`your ky leads to ${origin}`);
    return [request.url, { ...init, headers: request.headers }];
  };

  const callFetch = async (request: Request): Promise<Response> => {
    const { fetch } = globalThis;
    const leaving = hooked(request);
    signal.throwIfAborted(); // by a hook, or since
    // A caller's hook may have switched retries on: retry.ts alone sends again.
    if (progress.wasHandedOver) throw progress.thrown ?? new Error("your ky sends a request twice");
    progress.wasHandedOver = true;
    try {
      const answer = callersFetch
        ? callersFetch(callersKy ? new Request(...leaving) : request)
        : fetch(...leaving);
      return requireResponse(await answer, "fetch");
    } catch (thrown) {
      progress.thrown = thrown;
      throw thrown;
    }
  };
  const send: KyLike = callersKy ?? ky;
  const response = await send(url, {
    ...kyOptions,
    ...((callersKy || isPolluted()) && unused),
    // Only a caller's `fetch` or ky gets the `Request` that ky makes of these. A polluted `prefix`
    // would lead it elsewhere, with the key.
    ...((callersFetch ?? callersKy) && { ...init, prefix: "", searchParams: "" }),
    // Node reads a `Request`'s body early, and a hook could send it: neither proves "not-sent".
    ...(callersKy ? { body: undefined } : { hooks: undefined }),
    fetch: callFetch,
  });
  return callersKy ? requireResponse(response, "ky") : response;
};
