import type { Action } from "../../contract/actions.ts";
import type { RedactLine } from "../errors/text.ts";
import type { ClientHooks } from "./hooks.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { Submissions } from "./submissions.ts";

/** Schemas for what the API's document leaves open. Any Standard Schema works. */
export interface ClientSchemas {
  /** Schema of every brand in an answer. */
  readonly brand?: StandardSchema | undefined;
  /** Schema of every saved ad in an answer. */
  readonly savedAd?: StandardSchema | undefined;
  /** Schema of the `result` of a completed job, by action. */
  readonly results?: { readonly [A in Action]?: StandardSchema | undefined } | undefined;
}

/** A function that sends a request, as `fetch` does. */
export type CustomFetch = (request: Request) => Promise<Response>;

/** Options of {@link createClient}. */
export interface ClientOptions<S extends ClientSchemas = ClientSchemas> {
  /**
   * Address of the service, without `/v1`: http or https, without credentials, query and
   * fragment. In a browser it may be a path of the page's own origin. Elsewhere such a path is
   * refused at the first call, so that a module which is also rendered on a server can be loaded.
   * @default the environment's `ADGEN_BASE_URL`
   */
  baseUrl?: string | URL | undefined;
  /**
   * The API key, or a function that returns it and is called anew for every attempt, or `null` if a
   * proxy adds the key.
   * @default the environment's `ADGEN_API_KEY`
   */
  apiKey?: string | (() => string | Promise<string>) | null | undefined;
  /** Prefix of valid keys. A key without it is refused before anything is sent. */
  apiKeyPrefix?: string | undefined;
  /**
   * Function that sends the requests, instead of the global `fetch`.
   *
   * The library can't see inside this function, so a write counts as sent as soon as the function
   * is called. The write is never retried, and an error that the function throws has the outcome
   * `"unknown"`, unless the error is marked by `markAsNotSent`. A function that retries by itself
   * also retries POSTs, and pays twice.
   */
  fetch?: CustomFetch | undefined;
  /**
   * Your own ky, 2.0 or newer. Its hooks see every attempt, without the body, and may change the
   * headers, and the address within the service's origin. Its retries, time limits and errors are
   * off, because they would repeat paid calls, and its `fetch` is not used.
   * @default the ky inside this package, which has no hooks
   */
  ky?: ((url: string, options: object) => Promise<Response>) | undefined;
  /**
   * Headers to add to every request. `Authorization` is refused, because `apiKey` is for that; so
   * are the connection's own headers. A header that is `undefined` is left out.
   */
  headers?: Record<string, string | undefined> | undefined;
  /**
   * Time for one attempt in milliseconds, body included, 1 to 2147483647.
   * @default 30000, and 60000 for `jobs.submit`
   */
  timeoutMs?: number | undefined;
  /**
   * Time for one call in milliseconds, all attempts and the waits between them included.
   * @default twice the time for one attempt
   */
  totalTimeoutMs?: number | undefined;
  /**
   * Limit for sending a call again, a whole number from 0 to 10. Reads and deletes are sent again
   * after a failure that may pass. Other writes are repeated only if they never left this machine,
   * if a 429 with a wait refused them, or if the proxy of this package asks for a repeat.
   * @default 2
   */
  maxRetries?: number | undefined;
  /** Largest response body to read, in decoded bytes. @default 16777216 (16 MiB) */
  maxResponseBytes?: number | undefined;
  /** Types and checks for what the API's document leaves open. */
  schemas?: S | undefined;
  /**
   * Keeps a record of each POST with `once: id` before its request leaves, so that the POST is made
   * once. Create it by `createSubmissions(store)` of `adgen-sdk/submissions`. After a crash,
   * `recoverJobs` of that entry lists the submissions that are still open.
   * @default none
   */
  submissions?: Submissions | undefined;
  /**
   * Sends a generated `Idempotency-Key` with each POST, PATCH and DELETE, by which the proxy of
   * `adgen-sdk/proxy` recognises a request that the browser sends twice. Set it to `true` if your
   * proxy has another origin than the page.
   * @default `true` in a page, or in its worker, with `apiKey: null` and a `baseUrl` of its own
   * origin
   */
  callIds?: boolean | undefined;
  /** Allows a key in a browser, and silences the warning. @default false */
  allowBrowserKey?: boolean | undefined;
  /** Observers of requests, answers, failures and drift. */
  hooks?: ClientHooks | undefined;
  /**
   * Receives a line for each request, answer and failure, polls included, without key and body.
   * @default none; `console.error` where the environment has `ADGEN_LOG=debug`
   */
  log?: ((line: string) => void) | undefined;
}

/** The options of a client, checked and filled in. */
export interface ClientConfig {
  readonly baseUrl: BaseUrl;
  /** Reads the key for each attempt. A key of `null` is not sent. */
  readonly readKey: () => KeyReading | Promise<KeyReading>;
  /** Default: the global `fetch`, looked up at each request. */
  readonly fetch?: CustomFetch | undefined;
  readonly ky?: ClientOptions["ky"];
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Default: the endpoint decides, because a submission gets more time. */
  readonly timeoutMs?: number | undefined;
  readonly totalTimeoutMs?: number | undefined;
  readonly maxRetries: number;
  readonly maxResponseBytes: number;
  readonly schemas: ClientSchemas;
  /** The hooks of the log, and the caller's. */
  readonly hooks: readonly ClientHooks[];
  readonly submissions?: Submissions | undefined;
  /** Whether each write gets a generated id, by which a proxy recognises a repeat. */
  readonly sendsCallIds: boolean;
  /**
   * Whether a proxy adds the key. This package's proxy reports in a header what became of a write.
   */
  readonly hasProxy: boolean;
}

/** The key for one attempt, or the reason why it is missing. */
export type KeyReading = GivenKey | KeyFailure;

interface GivenKey {
  readonly key: string | null;
  /** Redacts a fixed key; created once for all calls. */
  readonly redactLine?: RedactLine;
}

/** A key function that threw, or returned a key that can't be sent. */
export interface KeyFailure {
  readonly key?: undefined;
  /** What is wrong with the returned key, without quoting any of it. */
  readonly problem?: string;
  /** The error that the function threw. */
  readonly cause?: unknown;
}

/** Address of the service, without a slash at its end. */
export type BaseUrl =
  | { readonly url: string; readonly relative?: undefined }
  /** A relative address, which can't be used here because no page completes it. */
  | { readonly url?: undefined; readonly relative: string };
