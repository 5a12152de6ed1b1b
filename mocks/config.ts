import { isCreditAmount, type StartingCredits } from "./domain/accounts.ts";
import { type Clock, systemClock } from "./domain/clock.ts";
import type { CreditPots } from "./domain/credits.ts";
import type { Timeline } from "./domain/job-timeline.ts";
import { defaultVideoPrices } from "./domain/prices.ts";
import type { Rules } from "./domain/state.ts";
import type { MockServiceOptions } from "./options.ts";

export interface MockServiceConfig {
  readonly accounts: ReadonlyMap<string, StartingCredits>;
  /** Without a slash at its end. */
  readonly baseUrl: string | undefined;
  readonly seed: string;
  readonly clock: Clock;
  readonly rules: Rules;
}

const refusal = (option: string, expected: string): TypeError =>
  new TypeError(`The mock's ${option} must be ${expected}`);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isAtLeastZero = (value: unknown): boolean => typeof value === "number" && value >= 0;

/** Keeps every charge a whole number that arithmetic can tell from its neighbours. */
const maxPrice = 1_000_000;

/** A misspelt option would otherwise be a default that nobody notices. */
const requireKnown = (option: string, value: unknown, known: readonly string[]): void => {
  if (!isRecord(value)) throw refusal(option, "an object");
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw refusal(option, `an object of ${known.join(", ")}; it has "${unknown}"`);
  }
};

const resolveCredits = (option: string, pots: Partial<CreditPots> | undefined): CreditPots => {
  if (pots === undefined) return { monthly: 100, purchased: 0 };
  requireKnown(option, pots, ["monthly", "purchased"]);
  const { monthly = 0, purchased = 0 } = pots;
  for (const [pot, amount] of Object.entries({ monthly, purchased })) {
    if (!isCreditAmount(amount)) throw refusal(`${option}.${pot}`, "a whole number, zero or more");
  }
  return { monthly, purchased };
};

const resolveAccounts = (
  accounts: MockServiceOptions["accounts"],
  apiKeyPrefix: string | undefined,
): MockServiceConfig["accounts"] => {
  if (apiKeyPrefix !== undefined && !/^[\x21-\x7e]*-$/.test(apiKeyPrefix)) {
    throw refusal("apiKeyPrefix", "printable characters ending in a hyphen");
  }
  const given = accounts ?? { [`${apiKeyPrefix ?? "test-"}key`]: {} };
  if (!isRecord(given)) throw refusal("accounts", "an object of accounts by API key");
  const resolved = new Map<string, StartingCredits>();
  for (const [key, account] of Object.entries(given)) {
    const option = `accounts["${key}"]`;
    if (!/^[\x21-\x7e]+$/.test(key)) throw refusal(option, "named by printable characters");
    if (!key.startsWith(apiKeyPrefix ?? "")) {
      throw refusal(option, `named by a key that begins with "${apiKeyPrefix}" (apiKeyPrefix)`);
    }
    requireKnown(option, account, ["credits"]);
    const { credits = {} } = account;
    requireKnown(`${option}.credits`, credits, ["image", "video"]);
    resolved.set(key, {
      image: resolveCredits(`${option}.credits.image`, credits.image),
      video: resolveCredits(`${option}.credits.video`, credits.video),
    });
  }
  return resolved;
};

/** An http(s) URL without a slash at its end. */
export const resolveBaseUrl = (baseUrl: string | undefined): string | undefined => {
  if (baseUrl === undefined) return undefined;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw refusal("baseUrl", "an absolute http(s) URL without query, fragment or user");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
};

const resolveTimeline = (timeline: Timeline): Timeline => {
  if (timeline === "per-look") return timeline;
  requireKnown("timeline", timeline, ["queuedMs", "processingMs"]);
  const { queuedMs, processingMs } = timeline;
  for (const [state, ms] of Object.entries({ queuedMs, processingMs })) {
    if (!isAtLeastZero(ms)) throw refusal(`timeline.${state}`, "milliseconds, zero or more");
  }
  return { queuedMs, processingMs };
};

const resolveVideoPrices = (given: MockServiceOptions["videoPrices"]): Rules["videoPrices"] => {
  requireKnown("videoPrices", given ?? {}, Object.keys(defaultVideoPrices));
  const prices = { ...defaultVideoPrices, ...given };
  for (const [model, price] of Object.entries(prices)) {
    if (!isAtLeastZero(price) || price > maxPrice) {
      throw refusal(`videoPrices["${model}"]`, "credits a second, from 0 to 1,000,000");
    }
  }
  return prices;
};

const knownOptions = [
  ...["accounts", "baseUrl", "seed", "clock", "timeline"],
  ...["videoPrices", "refundFailedJobs", "expiry", "apiKeyPrefix"],
];

/** Fills the defaults and refuses nonsense, once. */
export const resolveOptions = (options: MockServiceOptions): MockServiceConfig => {
  requireKnown("options", options, knownOptions);
  const { seed = "adgen", clock = systemClock, timeline = "per-look" } = options;
  const { refundFailedJobs = false, expiry = "failed" } = options;
  if (typeof seed !== "string" && typeof seed !== "number")
    throw refusal("seed", "text or a number");
  if (typeof clock?.now !== "function") throw refusal("clock", "an object with now()");
  if (typeof refundFailedJobs !== "boolean") throw refusal("refundFailedJobs", "true or false");
  if (expiry !== "failed" && expiry !== "not-found") {
    throw refusal("expiry", '"failed" or "not-found"');
  }
  return Object.freeze({
    accounts: resolveAccounts(options.accounts, options.apiKeyPrefix),
    baseUrl: resolveBaseUrl(options.baseUrl),
    seed: String(seed),
    clock,
    rules: Object.freeze({
      timeline: resolveTimeline(timeline),
      videoPrices: resolveVideoPrices(options.videoPrices),
      refundFailedJobs,
      expiry,
    }),
  });
};
