import type { StandardSchema } from "../answer/standard-schema.ts";
import { actions } from "../contract/actions.ts";
import { describeValue } from "../errors/text.ts";
import type { LearnedDurations } from "../polling/schedule/durations.ts";
import type { Submissions } from "../submissions/submissions.ts";
import { resolveApiKey } from "./api-key.ts";
import { isOwnOrigin, resolveBaseUrl } from "./base-url.ts";
import type { ClientConfig, ClientOptions, CustomFetch } from "./client-options.ts";
import { headerRecord } from "./headers.ts";
import {
  checkOptions,
  flag,
  func,
  group,
  milliseconds,
  number,
  type Rule,
  refuseOption,
  rule,
  text,
  wholeNumber,
} from "./rules.ts";

/** Any value: it is checked where it is resolved. */
const anything: Rule<unknown> = (value) => value;

/** Checks schemas now: a wrong one would otherwise be noticed when a paid result arrives. */
const standardSchema: Rule<StandardSchema> = (value, name, refuse) => {
  const schema = value as StandardSchema | null;
  if (typeof schema?.["~standard"]?.validate === "function") return schema as StandardSchema;
  return refuse(
    `${name} must be a Standard Schema (zod 3.24, valibot 1, arktype 2, or newer), ` +
      `got ${describeValue(value)}`,
  );
};

const schemaRules = () => ({
  brand: standardSchema,
  savedAd: standardSchema,
  results: group(Object.fromEntries(actions.map((action) => [action, standardSchema]))),
});

const hookRules = () => ({
  onRequest: func(),
  onResponse: func(),
  onRetry: func(),
  onDrift: func(),
});

const clientRules = () => ({
  baseUrl: anything,
  apiKey: anything,
  apiKeyPrefix: text(),
  fetch: func<CustomFetch>(),
  headers: headerRecord,
  timeoutMs: milliseconds(),
  totalTimeoutMs: milliseconds(),
  maxRetries: wholeNumber(0, 10),
  maxResponseBytes: number(1, Number.MAX_SAFE_INTEGER, "a number of bytes"),
  schemas: group(schemaRules()),
  durations: rule<LearnedDurations>("what createLearnedDurations(snapshot) makes", (value) => {
    const durations = value as LearnedDurations | null;
    return typeof durations?.add === "function" && typeof durations.toJSON === "function";
  }),
  submissions: rule<Submissions>(
    "what createSubmissions(store) makes",
    (value) => typeof (value as Submissions | null)?.run === "function",
  ),
  callIds: flag(),
  allowBrowserKey: flag(),
  hooks: group(hookRules()),
});

const defaults = {
  apiKeyPrefix: "",
  headers: {},
  maxRetries: 2,
  maxResponseBytes: 16 * 2 ** 20,
  schemas: {},
  allowBrowserKey: false,
  hooks: {},
};

/** Checks and fills every option, once. */
export const resolveConfig = (options: ClientOptions): ClientConfig => {
  const rules = clientRules();
  const checked = checkOptions("createClient", rules, options, refuseOption, defaults);
  const { apiKey, apiKeyPrefix, allowBrowserKey, callIds, ...config } = checked;
  const baseUrl = resolveBaseUrl(checked.baseUrl);
  return Object.freeze({
    ...config,
    baseUrl,
    readKey: resolveApiKey(apiKey, apiKeyPrefix, baseUrl, allowBrowserKey),
    sendsCallIds: callIds ?? (apiKey === null && isOwnOrigin(baseUrl)),
    hasProxy: apiKey === null,
  });
};
