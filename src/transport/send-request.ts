import ky, { type Options } from "ky";
import { describeKind } from "../errors/text.ts";
import type { Call, Progress } from "../request/call.ts";
import type { OneShotBody } from "./one-shot-body.ts";

/**
 * Options for ky. It reads one that is not named from `Object.prototype`, which other code may have
 * polluted: any value would end the call, or answer it. Each name costs time: ky merges them slowly.
 */
const kyOptions = {
  retry: 0, // retry.ts decides
  timeout: false, // ky's covers no body that is read in pieces
  totalTimeout: false,
  throwHttpErrors: false, // judge.ts decides
  json: undefined,
  body: undefined,
  signal: undefined,
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
 * Sends one request through ky, which makes it into a `Request` and calls `fetch` once. Notes the
 * error that `fetch` has thrown.
 *
 * A caller's `fetch` gets the `Request`. The global one is called with an init, its signal inside.
 * Some frameworks answer anything else from memory, and a wait would never see the job move.
 */
export const sendRequest = async (
  { method, url, headers, config }: Call,
  key: string | null,
  body: OneShotBody | undefined,
  signal: AbortSignal,
  progress: Pick<Progress, "wasHandedOver" | "thrown">,
): Promise<Response> => {
  const callersFetch = config.fetch;
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const init = {
    // Some worker runtimes lack the field, and throw when it is named.
    ...("cache" in Request.prototype && ({ cache: "no-store" } as const)),
    method,
    headers: { ...headers, ...authorization, ...body?.headers },
    body: body?.content,
    signal,
    redirect: "manual",
    ...(body !== undefined && { duplex: "half" }),
  } as const;
  const callFetch = async (request: unknown): Promise<Response> => {
    const { fetch } = globalThis;
    signal.throwIfAborted(); // by a hook, or since
    progress.wasHandedOver = true;
    try {
      return requireResponse(
        await (callersFetch === undefined
          ? fetch(url, init as RequestInit)
          : callersFetch(request as Request)),
      );
    } catch (thrown) {
      progress.thrown = thrown;
      throw thrown;
    }
  };
  // Only a caller's `fetch` gets the `Request` that ky makes of these. A polluted `prefix` would lead
  // it elsewhere, with the key.
  const parts = callersFetch && { ...init, prefix: "", searchParams: "" };
  // ky's types know no `undefined`; ky itself takes it for an absent option.
  const options: object = { ...kyOptions, ...parts, fetch: callFetch };
  return ky(url, options as Options);
};
