import type { Action, CustomFetch } from "adgen-sdk";
import { createMemoryStore } from "adgen-sdk/submissions";
import { describeValue } from "../client/errors/text.ts";
import { orFromEnvironment } from "../client/options/environment.ts";
import {
  anyRule,
  booleanRule,
  checkOptions,
  functionRule,
  groupRule,
  methodsRule,
  millisecondsRule,
  numberRule,
  type OptionRule,
  type Refuse,
  refuseOption,
} from "../client/options/rules.ts";
import { actions } from "../contract/actions.ts";
import { type EndpointName, endpoints } from "../contract/endpoint.ts";
import type { RecordStore } from "../submissions/store/record-store.ts";
import { readLimits } from "../submissions/store/usage-limits.ts";
import type {
  OwnerLimits,
  ProxyErrorEvent,
  ProxyHooks,
  ProxyOptions,
  ProxyResponseEvent,
} from "./proxy-options.ts";

/** The options that the proxy uses: every one checked and filled in. */
export type ProxyConfig = ReturnType<typeof resolveProxyConfig>;

type LimitsOf = (owner: string) => Promise<OwnerLimits>;

const oneOf =
  <Name extends string>(names: readonly Name[]): OptionRule<readonly Name[]> =>
  (value, name, refuse) => {
    const isList = Array.isArray(value) && value.every((item) => names.includes(item));
    if (isList) return [...value];
    return refuse(`${name} must be a list of ${names.join(", ")}, got ${describeValue(value)}`);
  };

const days = 86_400_000;

const proxyRules = () => ({
  baseUrl: anyRule as OptionRule<string | URL>,
  apiKey: anyRule as OptionRule<string | (() => string | Promise<string>)>,
  authorize: functionRule<NonNullable<ProxyOptions["authorize"]>>(),
  allowAnyone: booleanRule(),
  store: methodsRule<RecordStore>("a store, with get, swap, list", "get", "swap", "list"),
  endpoints: oneOf(Object.keys(endpoints) as EndpointName[]),
  actions: oneOf<Action>(actions),
  limits: anyRule,
  maxRequestBytes: numberRule(1, Number.MAX_SAFE_INTEGER, "a number of bytes"),
  maxResponseBytes: numberRule(1, Number.MAX_SAFE_INTEGER, "a number of bytes"),
  timeoutMs: millisecondsRule(),
  storeTimeoutMs: millisecondsRule(),
  callWindowMs: numberRule(60_000, 3_650 * days, "a number of milliseconds"),
  jobTtlMs: numberRule(60_000, 3_650 * days, "a number of milliseconds"),
  fetch: functionRule<CustomFetch>(),
  hooks: groupRule({
    onResponse: functionRule<(event: ProxyResponseEvent) => void>(),
    onError: functionRule<(event: ProxyErrorEvent) => void>(),
  }),
});

const defaults = {
  endpoints: Object.keys(endpoints) as EndpointName[],
  maxRequestBytes: 10 * 2 ** 20,
  maxResponseBytes: 16 * 2 ** 20,
  storeTimeoutMs: 3_000,
  callWindowMs: 30 * days,
  jobTtlMs: 30 * days,
  hooks: {} as ProxyHooks,
};

const limitsBy = (given: unknown): LimitsOf => {
  if (typeof given !== "function") {
    const limits = readLimits(given === undefined ? {} : given, "limits", refuseOption);
    return async () => limits;
  }
  const refuse: Refuse = (message) => {
    throw new Error(message);
  };
  return async (owner) => readLimits(await given(owner), "limits()", refuse);
};

const warnOfMemory = (): RecordStore => {
  console.warn(
    "adgen-sdk: createProxy has no store, so it remembers owners, call ids and limits in this " +
      "process alone. With several processes, or after a restart, users lose their jobs, and a " +
      "repeated submission may be paid twice. Pass store: createRedisStore(send), or " +
      "createMemoryStore() to say that one process is meant.",
  );
  return createMemoryStore();
};

/** Checks and fills every option, once. */
export const resolveProxyConfig = (options: ProxyOptions) => {
  const checked = checkOptions("createProxy", proxyRules(), options, refuseOption, defaults);
  const { authorize, allowAnyone, limits, store, baseUrl, apiKey, ...config } = checked;
  if (authorize === undefined && allowAnyone !== true) {
    refuseOption(
      "authorize is missing: give a function that returns the user of a request. " +
        "(allowAnyone: true would let every visitor spend your credits)",
    );
  }
  if (authorize !== undefined && allowAnyone === true) {
    refuseOption("authorize and allowAnyone contradict each other: give one of them");
  }
  if (apiKey === null)
    refuseOption("apiKey must not be null: the proxy adds the key to the requests of pages");
  return Object.freeze({
    ...config,
    authorize,
    limitsOf: limitsBy(limits),
    // A limit cannot count an action whose price is unknown.
    actions: config.actions ?? (limits === undefined ? undefined : actions),
    baseUrl: orFromEnvironment("createProxy", "baseUrl", baseUrl, "ADGEN_BASE_URL"),
    apiKey: orFromEnvironment("createProxy", "apiKey", apiKey, "ADGEN_API_KEY"),
    store: store ?? warnOfMemory(),
  });
};
