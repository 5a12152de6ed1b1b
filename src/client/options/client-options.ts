import type { Action } from "../../contract/actions.ts";
import type { RedactLine } from "../errors/text.ts";
import type { ClientHooks } from "./hooks.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { Submissions } from "./submissions.ts";

/** Schemas for what the API's document leaves open; any Standard Schema will do. */
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
   * The API key; or a function that gives it, asked anew for every attempt; or `null` when
   * a proxy adds it.
   * @default the environment's `ADGEN_API_KEY`
   */
  apiKey?: string | (() => string | Promise<string>) | null | undefined;
  /** Text that a key must begin with: another key is refused before anything is sent. */
  apiKeyPrefix?: string | undefined;
  /**
   * Function that sends the requests, instead of the global `fetch`.
   *
   * The library cannot see inside. A write counts as sent from the moment this function is called.
   * It is never made again, and an error that this function throws has the outcome `"unknown"`.
   * An error that is marked by `markAsNotSent` says otherwise. A function that retries by itself
   * retries POSTs too, and pays twice.
   */
  fetch?: CustomFetch | undefined;
  /**
   * Your own ky, 2.0 or newer. Its hooks see every attempt and may change address and headers, within the
   * service's origin; they see no body. Its retries, time limits and errors are off, because they
   * would repeat paid calls, and its `fetch` is not used.
   * @default the ky inside this package, which has no hooks
   */
  ky?: ((url: string, options: object) => Promise<Response>) | undefined;
  /**
   * Headers to add to every request. `Authorization` is refused, because `apiKey` is for that;
   * so are the connection's own headers. One that is `undefined` is left out.
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
   * after a failure that may pass. Other writes are sent again only when they were not sent, or
   * were refused by a 429 with a wait.
   * @default 2
   */
  maxRetries?: number | undefined;
  /** Largest body that is read, in decoded bytes. @default 16777216 (16 MiB) */
  maxResponseBytes?: number | undefined;
  /** Types and checks for what the API's document leaves open. */
  schemas?: S | undefined;
  /**
   * Records of the POSTs with `once: id`, made by `createSubmissions(store)` of `adgen-sdk/submissions`:
   * each is on record before its request leaves, and made once. After a crash, see its `recoverJobs`.
   * @default none
   */
  submissions?: Submissions | undefined;
  /**
   * Sends an `Idempotency-Key` of its own with each POST, PATCH and DELETE. By it the proxy of
   * `adgen-sdk/proxy` knows a request that the browser sends twice. For a proxy of another origin, set it.
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

/** The options that the client uses: every one checked and filled in. */
export interface ClientConfig {
  readonly baseUrl: BaseUrl;
  /** Called for each attempt; a key of `null` is not sent. */
  readonly readKey: () => KeyReading | Promise<KeyReading>;
  /** Absent: the global `fetch`, looked up at each request. */
  readonly fetch?: CustomFetch | undefined;
  readonly ky?: ClientOptions["ky"];
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: the endpoint decides, because a submission gets more. */
  readonly timeoutMs?: number | undefined;
  readonly totalTimeoutMs?: number | undefined;
  readonly maxRetries: number;
  readonly maxResponseBytes: number;
  readonly schemas: ClientSchemas;
  /** Of the log, and the caller's. */
  readonly hooks: readonly ClientHooks[];
  readonly submissions?: Submissions | undefined;
  /** Sends an id with each POST, by which a proxy can drop a repeated one. */
  readonly sendsCallIds: boolean;
  /** A proxy adds the key, and says in a header what became of a write. */
  readonly hasProxy: boolean;
}

/** The key for one attempt, or the reason why there is none. */
export type KeyReading = GivenKey | KeyFailure;

interface GivenKey {
  readonly key: string | null;
  /** Cuts a key that never changes out of texts: it is made once for all calls. */
  readonly redactLine?: RedactLine;
}

/** A key function that failed, or gave a key that cannot be sent. */
export interface KeyFailure {
  readonly key?: undefined;
  /** Set where a key was given: what is wrong with it, without quoting any of it. */
  readonly problem?: string;
  /** Error that the function has thrown. */
  readonly cause?: unknown;
}

/** Address of the service, without a slash at its end. */
export type BaseUrl =
  | { readonly url: string; readonly relative?: undefined }
  /** Relative, where there is no page to complete it. */
  | { readonly url?: undefined; readonly relative: string };
