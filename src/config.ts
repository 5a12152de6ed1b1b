import type { Action } from "./contract/actions.ts";
import { ConnectionError } from "./errors.ts";
import type { ClientHooks } from "./hooks.ts";
import {
  checkFunction,
  checkHeaders,
  checkMs,
  checkNoOthers,
  checkNumber,
  refuseOption,
} from "./refuse.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** Schemas for what the API's document leaves open; any Standard Schema will do. */
export interface ClientSchemas {
  /** For every brand in an answer. */
  readonly brand?: StandardSchema | undefined;
  /** For every saved ad in an answer. */
  readonly savedAd?: StandardSchema | undefined;
  /** For the `result` of a completed job, by action. */
  readonly results?: { readonly [A in Action]?: StandardSchema | undefined } | undefined;
}

/** What {@link createClient} takes. */
export interface ClientOptions<S extends ClientSchemas = ClientSchemas> {
  /**
   * Where the service is, `/v1` not included: http or https, without credentials, query and
   * fragment; in a browser also relative to the page.
   * @default the environment's `ADGEN_BASE_URL`
   */
  baseUrl?: string | URL | undefined;
  /**
   * The API key; or a function that gives it, asked anew for every attempt; or `null` when
   * a proxy adds it.
   * @default the environment's `ADGEN_API_KEY`
   */
  apiKey?: string | (() => string | Promise<string>) | null | undefined;
  /** When given, a key that does not start with it is refused before anything is sent. */
  apiKeyPrefix?: string | undefined;
  /** Sends the requests: a mock's, a proxy's, an instrumented one. @default the global `fetch` */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Headers to add to every request; `Authorization` is refused: that is what `apiKey` is for. */
  headers?: Record<string, string> | undefined;
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
   * How often a call may be sent again, 0 to 10: reads and deletes after a failure that may
   * pass, other writes only when they were not sent, or refused by a 429 with a wait. @default 2
   */
  maxRetries?: number | undefined;
  /** The largest body that is read, in decoded bytes. @default 16777216 (16 MiB) */
  maxResponseBytes?: number | undefined;
  /** Types and checks what the API's document leaves open. */
  schemas?: S | undefined;
  /** Says that a key in a browser is meant, and silences the warning. @default false */
  allowBrowserKey?: boolean | undefined;
  /** Observers of requests, answers, retries and drift. */
  hooks?: ClientHooks | undefined;
}

/** What the client uses: every option checked and filled in. */
export interface ClientConfig {
  readonly baseUrl: string;
  /** Gives the key for one attempt; `null` when there is none to send. */
  readonly readKey: () => string | null | Promise<string | null>;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` leaves it to the endpoint: a submission gets more. */
  readonly timeoutMs: number | undefined;
  readonly totalTimeoutMs: number | undefined;
  readonly maxRetries: number;
  readonly maxResponseBytes: number;
  readonly schemas: ClientSchemas;
  readonly hooks: ClientHooks;
}

interface MaybeNode {
  process?: { env?: Record<string, string | undefined> };
}

const readEnvironment = (name: string): string | undefined => {
  try {
    return (globalThis as MaybeNode).process?.env?.[name] || undefined;
  } catch {
    return undefined; // Deno without --allow-env
  }
};

const resolveBaseUrl = (given: string | URL | undefined): string => {
  try {
    const { protocol, origin, pathname, username, password, search, hash } = new URL(
      given || "missing:", // never the page itself
      globalThis.location?.href,
    );
    if (/^https?:$/.test(protocol) && !(username + password + search + hash)) {
      return origin + pathname.replace(/\/+$/, "");
    }
  } catch {}
  return refuseOption("baseUrl (or ADGEN_BASE_URL) must be a plain http(s) URL");
};

/** Never quotes the key, not even the part that is wrong. */
const checkKey = (key: unknown, prefix: string): string => {
  if (typeof key !== "string" || !/^[!-~]+$/.test(key)) {
    return refuseOption("apiKey (or ADGEN_API_KEY) is missing or malformed");
  }
  return key.startsWith(prefix) ? key : refuseOption("apiKey lacks apiKeyPrefix");
};

let warned = false;

const resolveKey = (
  given: ClientOptions["apiKey"],
  prefix: string,
  allowBrowserKey: boolean,
): ClientConfig["readKey"] => {
  if (given === null) return () => null;
  if (typeof given === "function") {
    return async () => {
      let key: string;
      try {
        key = await given();
      } catch (cause) {
        const context = { outcome: "not-sent", cause } as const;
        throw new ConnectionError("connection", "apiKey failed", context);
      }
      return checkKey(key, prefix);
    };
  }
  const key = checkKey(given, prefix);
  if ("document" in globalThis && !allowBrowserKey && !warned) {
    warned = true;
    console.warn("adgen-sdk: apiKey is public here; see allowBrowserKey");
  }
  return () => key;
};

/** Found out only with the first answer, a wrong schema would cost a paid result. */
const checkSchemas = (schemas: ClientSchemas): ClientSchemas => {
  const { results, ...others } = schemas;
  for (const [name, schema] of Object.entries({ ...others, ...results })) {
    if (schema && !("~standard" in schema)) refuseOption(`schemas: ${name} is no Standard Schema`);
  }
  return schemas;
};

const checkOptional = (name: string, value: number | undefined) =>
  value === undefined ? value : checkMs(name, value, refuseOption);

/** Checks and fills every option, once. */
export const resolveConfig = (options: ClientOptions): ClientConfig => {
  const {
    baseUrl = readEnvironment("ADGEN_BASE_URL"),
    apiKey = readEnvironment("ADGEN_API_KEY"),
    apiKeyPrefix = "",
    fetch = (request) => globalThis.fetch(request),
    headers,
    timeoutMs,
    totalTimeoutMs,
    maxRetries = 2,
    maxResponseBytes = 16 * 2 ** 20,
    schemas = {},
    allowBrowserKey = false,
    hooks = {},
    ...others
  } = options;
  checkNoOthers(others, refuseOption);
  return {
    baseUrl: resolveBaseUrl(baseUrl),
    readKey: resolveKey(apiKey, apiKeyPrefix, allowBrowserKey),
    fetch: checkFunction("fetch", fetch, refuseOption),
    headers: checkHeaders(headers, refuseOption),
    timeoutMs: checkOptional("timeoutMs", timeoutMs),
    totalTimeoutMs: checkOptional("totalTimeoutMs", totalTimeoutMs),
    maxRetries: checkNumber("maxRetries", maxRetries, 0, 10, refuseOption),
    maxResponseBytes: checkNumber("maxResponseBytes", maxResponseBytes, 1, 2 ** 53, refuseOption),
    schemas: checkSchemas(schemas),
    hooks,
  };
};
