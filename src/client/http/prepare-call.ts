import { type Endpoint, endpoints } from "../../contract/endpoint.ts";
import { callIdHeader } from "../../contract/proxy-answers.ts";
import { makeError } from "../errors/make-error.ts";
import { createRandomId } from "../internal/platform.ts";
import { maxTimerMs } from "../internal/sleep.ts";
import { callRules } from "../options/call-options.ts";
import type { ClientConfig } from "../options/client-options.ts";
import { refuseCallId } from "../options/headers.ts";
import {
  checkOptions,
  createRule,
  type OnceConfig,
  objectRule,
  onceRule,
  type Refuse,
  refuseArgument,
  refuseOption,
  refuseWrite,
  requireId,
  wholeNumberRule,
} from "../options/rules.ts";
import { refuseCallOptions, refuseLocalPictures } from "./body.ts";
import type { Call, Transport } from "./call.ts";
import { createNameWarner } from "./name-warner.ts";

/** The package's version. The build defines it. */
declare const packageVersion: string | undefined;

const version = typeof packageVersion === "string" ? packageVersion : "source";

/** Whether a browser sends the requests, where another header would need a preflight. */
const isPage = (): boolean => /^Mozilla/.test(globalThis.navigator?.userAgent ?? "");

const requireBaseUrl = ({ baseUrl }: ClientConfig, outcome: Call["outcome"]): string => {
  const { url, relative } = baseUrl;
  if (url !== undefined) return url;
  const message =
    `baseUrl "${relative}" is relative, and there is no page here to complete it: ` +
    "call it in a browser, or give the whole address";
  throw makeError("config", message, { outcome });
};

/** Fills an id into a path as exactly one segment, so that no id can lead to another path. */
const fillPath = ({ path, names }: Endpoint, id: unknown, refuse: Refuse): string =>
  names === undefined
    ? path
    : path.replace(":id", () => encodeURIComponent(requireId(names, id, refuse)));

const checkLimit = wholeNumberRule(0, Number.MAX_SAFE_INTEGER);

const queryValue = createRule(
  "text, a finite number or a boolean, as in list({ limit })",
  (value) => ["string", "boolean"].includes(typeof value) || Number.isFinite(value),
);

/** Writes a query with its question mark, or an empty text if it has no parameters. */
const formatQuery = (query: unknown, refuse: Refuse): string => {
  if (query === undefined) return "";
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(objectRule(query, "query", refuse))) {
    const label = `query.${name}`;
    if (value === undefined) continue;
    if (Object.hasOwn(callRules(), name)) {
      refuse(`${label} is an option of the call, not of the query: pass it in the options`);
    }
    if (name === "limit") checkLimit(value, label, refuse);
    const text = String(queryValue(value, label, refuse));
    // URLSearchParams would replace it by another character.
    if (/\p{Surrogate}/u.test(text)) refuse(`${label} has half of a surrogate pair`);
    params.set(name, text);
  }
  const text = String(params); // Safari below 17 has no `size`
  return text && `?${text}`;
};

/** Refuses an id that the proxy would refuse, and any id if nothing would record it. */
const checkOnce = ({ id, waitMs }: OnceConfig, { submissions, hasProxy }: ClientConfig): void => {
  if (hasProxy && waitMs !== undefined) {
    refuseWrite("once.waitMs needs a store: behind a proxy, timeoutMs bounds the wait");
  }
  if (hasProxy && !/^[!-~]{1,128}$/.test(id)) {
    refuseWrite(
      "once must have 1 to 128 visible ASCII characters: it goes to the proxy, in a header",
    );
  }
  if (hasProxy || submissions !== undefined) return;
  refuseOption(
    "once needs a store: createClient({ submissions: createSubmissions(await " +
      'openFileStore("submissions")) }), see adgen-sdk/submissions and adgen-sdk/submissions/file',
  );
};

/**
 * Refuses a missing id, as in `once: order.Id` with a misspelt field: the call would be paid again
 * at every run.
 */
const refuseMissingId = (given: object, { submissions, hasProxy }: ClientConfig): void => {
  if (!Object.hasOwn(given, "once") || (submissions === undefined && !hasProxy)) return;
  refuseWrite(
    "once is undefined, so this call would have no id, and be paid at every run: give it an id, " +
      "or leave once out",
  );
};

export const createCallPreparer = (config: ClientConfig): Transport["prepareCall"] => {
  const rules = callRules();
  const { hasProxy, sendsCallIds } = config;
  const { warnOfParameters, warnOfQuery } = createNameWarner();

  return (name, { id, query, body, empty, graceMs }, given = {}) => {
    const startedAt = performance.now();
    const endpoint: Endpoint = endpoints[name];
    const { method, names, creates, paid } = endpoint;
    const outcome = method === "GET" ? undefined : "not-sent";
    const refuse = outcome ? refuseWrite : refuseArgument;
    const ownRules = {
      ...rules,
      ...(creates && { once: onceRule }),
    };
    const options = checkOptions<typeof ownRules>(name, ownRules, given, refuse);
    const { once: own, timeoutMs, totalTimeoutMs = timeoutMs ?? config.totalTimeoutMs } = options;
    if (own !== undefined) checkOnce(own, config);
    else if (creates) refuseMissingId(given, config);
    if (options.headers && !hasProxy && !sendsCallIds) refuseCallId(options.headers, refuse);
    if (creates && body !== undefined) refuseCallOptions(body.fields, "the request");
    if (paid && body !== undefined) refuseLocalPictures(body.fields, "the request");
    const { id: once, waitMs } = own ?? {};
    const attemptTimeoutMs = timeoutMs ?? config.timeoutMs ?? (paid ? 60_000 : 30_000);
    const allTimeoutMs = totalTimeoutMs ?? Math.min(2 * attemptTimeoutMs, maxTimerMs);
    const path = fillPath(endpoint, id, refuse);
    const search = formatQuery(query, refuse);
    const url = requireBaseUrl(config, outcome) + path + search;
    if (paid && body !== undefined) warnOfParameters(body.fields);
    if (query !== undefined) warnOfQuery(name, Object(query));
    const callersHeaders = {
      ...config.headers,
      ...options.headers,
      ...(hasProxy && once !== undefined && { [callIdHeader]: once }),
    };
    const hasMadeId =
      sendsCallIds && outcome !== undefined && !Object.hasOwn(callersHeaders, callIdHeader);
    return {
      ...options,
      once,
      waitMs,
      hasMadeId,
      name,
      endpoint,
      config,
      method,
      path,
      body,
      empty,
      graceMs,
      outcome,
      startedAt,
      jobId: names === "job" ? String(id) : undefined,
      url,
      headers: {
        ...(hasMadeId && { [callIdHeader]: createRandomId() }),
        ...(isPage() ? {} : { "user-agent": `adgen-sdk/${version}` }),
        ...callersHeaders,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      maxRetries: options.maxRetries ?? config.maxRetries,
      attemptTimeoutMs,
      totalTimeoutMs: allTimeoutMs,
      deadlineAt: startedAt + allTimeoutMs,
    };
  };
};
