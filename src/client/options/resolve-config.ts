import { actions } from "../../contract/actions.ts";
import { resolveApiKey } from "./api-key.ts";
import { isOwnOrigin, resolveServiceUrl } from "./base-url.ts";
import type { ClientConfig, ClientOptions, CustomFetch } from "./client-options.ts";
import { headerRecord, refuseCallId } from "./headers.ts";
import { type ClientHooks, type Log, logHooks } from "./hooks.ts";
import {
  anyRule,
  booleanRule,
  checkOptions,
  createRule,
  functionRule,
  groupRule,
  isObject,
  methodsRule,
  millisecondsRule,
  numberRule,
  type OptionRule,
  refuseOption,
  textRule,
  wholeNumberRule,
} from "./rules.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { Submissions } from "./submissions.ts";

/**
 * Checks schemas at once, because a wrong schema would otherwise fail on a result that is already
 * paid.
 */
const standardSchema = createRule<StandardSchema>(
  "a Standard Schema (zod 3.24, valibot 1, arktype 2, or newer)",
  (value) => typeof (value as StandardSchema | null)?.["~standard"]?.validate === "function",
);

const schemaRules = () => ({
  brand: standardSchema,
  savedAd: standardSchema,
  results: groupRule(Object.fromEntries(actions.map((action) => [action, standardSchema]))),
});

const hookRules = () => ({
  onRequest: functionRule(),
  onResponse: functionRule(),
  onFailure: functionRule(),
  onDrift: functionRule(),
});

/**
 * Allows hooks. They are looked up by name, because an instance of a class inherits its methods.
 */
const hooksRule: OptionRule<ClientHooks> = (value, name, refuse) => {
  const rules = hookRules();
  const isPlain =
    !isObject(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  const methods = () => Object.keys(rules).map((hook) => [hook, Object(value)[hook]]);
  const given = isPlain ? value : Object.fromEntries(methods());
  const checked = Object.entries(groupRule(rules)(given, name, refuse));
  return Object.fromEntries(checked.map(([hook, observer]) => [hook, observer?.bind(value)]));
};

const clientRules = () => ({
  baseUrl: anyRule,
  apiKey: anyRule,
  apiKeyPrefix: textRule(),
  fetch: functionRule<CustomFetch>(),
  ky: functionRule<NonNullable<ClientOptions["ky"]>>(),
  headers: headerRecord,
  timeoutMs: millisecondsRule(),
  totalTimeoutMs: millisecondsRule(),
  maxRetries: wholeNumberRule(0, 10),
  maxResponseBytes: numberRule(1, Number.MAX_SAFE_INTEGER, "a number of bytes"),
  schemas: groupRule(schemaRules()),
  submissions: methodsRule<Submissions>("what createSubmissions(store) makes", "runOnce"),
  callIds: booleanRule(),
  allowBrowserKey: booleanRule(),
  hooks: hooksRule,
  log: functionRule<Log>(),
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
  const { apiKey, apiKeyPrefix, allowBrowserKey, callIds, log, ...config } = checked;
  const baseUrl = resolveServiceUrl(checked.baseUrl);
  const hasProxy = apiKey === null;
  const sendsCallIds = callIds ?? (hasProxy && isOwnOrigin(baseUrl));
  if (!hasProxy && !sendsCallIds) refuseCallId(config.headers, refuseOption);
  return Object.freeze({
    ...config,
    hooks: [logHooks(log), config.hooks],
    baseUrl,
    readKey: resolveApiKey(apiKey, apiKeyPrefix, baseUrl, allowBrowserKey),
    sendsCallIds,
    hasProxy,
  });
};
