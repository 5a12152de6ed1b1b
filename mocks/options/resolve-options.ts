import { isCreditAmount } from "../domain/accounts.ts";
import { type Clock, systemClock } from "../domain/clock.ts";
import type { CreditPots } from "../domain/credits.ts";
import { defaultVideoPrices } from "../domain/prices.ts";
import type { Rules, StartingCredits } from "../domain/state.ts";
import type { MockAccountOptions, MockServiceOptions } from "./options.ts";
import { isRecord, refusal, requireKnown, requireNumber, requireOneOf } from "./require.ts";
import { resolveTimeline } from "./resolve-timeline.ts";

export interface MockServiceConfig {
  readonly accounts: ReadonlyMap<string, StartingCredits>;
  readonly apiKeyPrefix: string;
  /** Without a slash at its end. */
  readonly baseUrl: string | undefined;
  readonly seed: string;
  readonly clock: Clock;
  readonly rules: Rules;
  readonly artwork: "inline" | "served";
  readonly journalLimit: number;
}

/** Keeps every charge a whole number that arithmetic can tell from its neighbours. */
const maxPrice = 1_000_000;

const resolveCredits = (option: string, pots: Partial<CreditPots> | undefined): CreditPots => {
  if (pots === undefined) return { monthly: 100, purchased: 0 };
  requireKnown(option, pots, ["monthly", "purchased"]);
  const { monthly = 0, purchased = 0 } = pots;
  for (const [pot, amount] of Object.entries({ monthly, purchased })) {
    if (!isCreditAmount(amount)) throw refusal(`${option}.${pot}`, "a whole number, zero or more");
  }
  return { monthly, purchased };
};

/** What can stand in a header. */
export const isKey = (key: unknown): key is string =>
  typeof key === "string" && /^[\x21-\x7e]+$/.test(key);

/** What one account starts with; refuses keys that no request could carry. */
export const resolveAccount = (
  key: unknown,
  account: MockAccountOptions,
  apiKeyPrefix: string,
): StartingCredits => {
  const option = `accounts["${key}"]`;
  if (!isKey(key)) {
    throw refusal(option, "named by printable characters");
  }
  if (!key.startsWith(apiKeyPrefix)) {
    throw refusal(option, `named by a key that begins with "${apiKeyPrefix}" (apiKeyPrefix)`);
  }
  requireKnown(option, account, ["credits"]);
  const { credits = {} } = account;
  requireKnown(`${option}.credits`, credits, ["image", "video"]);
  return {
    image: resolveCredits(`${option}.credits.image`, credits.image),
    video: resolveCredits(`${option}.credits.video`, credits.video),
  };
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
  return new Map(
    Object.entries(given).map(([key, account]) => [
      key,
      resolveAccount(key, account, apiKeyPrefix ?? ""),
    ]),
  );
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

const resolveVideoPrices = (given: MockServiceOptions["videoPrices"]): Rules["videoPrices"] => {
  requireKnown("videoPrices", given ?? {}, Object.keys(defaultVideoPrices));
  const prices = { ...defaultVideoPrices, ...given };
  for (const [model, price] of Object.entries(prices)) {
    requireNumber(
      `videoPrices["${model}"]`,
      price,
      "credits a second, from 0 to 1,000,000",
      (credits) => credits >= 0 && credits <= maxPrice,
    );
  }
  return prices;
};

/** The names of all options; the compiler counts them. */
const knownOptions = Object.keys({
  accounts: true,
  baseUrl: true,
  seed: true,
  clock: true,
  timeline: true,
  videoPrices: true,
  refundFailedJobs: true,
  expiry: true,
  renewal: true,
  artwork: true,
  journalLimit: true,
  apiKeyPrefix: true,
} satisfies Record<keyof MockServiceOptions, true>);

/** Fills the defaults and refuses nonsense, once. */
export const resolveOptions = (options: MockServiceOptions): MockServiceConfig => {
  requireKnown("options", options, knownOptions);
  const { seed = "adgen", clock = systemClock, timeline = "per-look" } = options;
  const { refundFailedJobs = false, expiry = "failed", renewal = "monthly" } = options;
  const { artwork = "inline", journalLimit = 10_000 } = options;
  if (typeof seed !== "string" && typeof seed !== "number")
    throw refusal("seed", "text or a number");
  if (typeof clock?.now !== "function") throw refusal("clock", "an object with now()");
  if (typeof refundFailedJobs !== "boolean") throw refusal("refundFailedJobs", "true or false");
  requireOneOf("expiry", expiry, ["failed", "not-found"]);
  requireOneOf("renewal", renewal, ["monthly", "never"]);
  requireOneOf("artwork", artwork, ["inline", "served"]);
  requireNumber(
    "journalLimit",
    journalLimit,
    "a whole number from 0 to 1,000,000",
    (limit) => Number.isInteger(limit) && limit >= 0 && limit <= 1_000_000,
  );
  return Object.freeze({
    accounts: resolveAccounts(options.accounts, options.apiKeyPrefix),
    apiKeyPrefix: options.apiKeyPrefix ?? "",
    baseUrl: resolveBaseUrl(options.baseUrl),
    seed: String(seed),
    clock,
    rules: Object.freeze({
      paces: resolveTimeline(timeline),
      videoPrices: resolveVideoPrices(options.videoPrices),
      refundFailedJobs,
      expiry,
      renewal,
    }),
    artwork,
    journalLimit,
  });
};
