import * as z from "zod/mini";
import { type Clock, systemClock } from "../domain/clock.ts";
import type { CreditPots } from "../domain/credits.ts";
import { defaultVideoPrices } from "../domain/prices.ts";
import type { Rules, StartingCredits } from "../domain/state.ts";
import {
  count,
  type FieldsOf,
  fieldsOnly,
  numberFrom,
  optional,
  text,
  trueOrFalse,
  wholeNumber,
} from "./fields.ts";
import type { MockAccountOptions, MockServiceOptions } from "./options.ts";
import { keysOf, refusal, requireFit } from "./require.ts";
import { resolveTimeline, timelineSchema } from "./resolve-timeline.ts";

/** Options with their defaults filled in. */
export interface MockServiceConfig {
  readonly accounts: ReadonlyMap<string, StartingCredits>;
  readonly apiKeyPrefix: string;
  /** Base URL without a slash at its end. */
  readonly baseUrl: string | undefined;
  readonly seed: string;
  readonly clock: Clock;
  readonly rules: Rules;
  readonly artwork: "inline" | "served";
  readonly journalLimit: number;
}

export const potsSchema = fieldsOnly({
  monthly: optional(count, "Whole credits of the month"),
  purchased: optional(count, "Whole credits that were bought"),
} satisfies FieldsOf<Partial<CreditPots>>);

export const creditsSchema = fieldsOnly({
  image: optional(potsSchema, "Image credits; 100 monthly ones by default"),
  video: optional(potsSchema, "Video credits; 100 monthly ones by default"),
} satisfies FieldsOf<NonNullable<MockAccountOptions["credits"]>>);

export const accountOptionsSchema = fieldsOnly({
  credits: optional(creditsSchema, "Credits that the account starts with"),
} satisfies FieldsOf<MockAccountOptions>);

// A higher price would make charges that arithmetic cannot tell from their neighbours.
const price = z.exactOptional(numberFrom(0, 1_000_000, "credits a second, from 0 to 1,000,000"));

const isClock = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "now" in value && typeof value.now === "function";

const choiceOf = <const Choice extends string>(...choices: readonly Choice[]) =>
  z.enum(choices, { error: choices.map((choice) => `"${choice}"`).join(" or ") });

const serviceOptionsSchema = fieldsOnly(
  {
    accounts: z.optional(
      z.record(z.string(), accountOptionsSchema, { error: "an object of accounts by API key" }),
    ),
    baseUrl: z.optional(text),
    seed: z._default(z.union([z.string(), z.number()], { error: "text or a number" }), "adgen"),
    clock: z._default(z.custom<Clock>(isClock, { error: "an object with now()" }), systemClock),
    timeline: z._default(timelineSchema, "per-poll"),
    videoPrices: z.optional(
      fieldsOnly({
        "video-a-2": price,
        "video-a-2-pro": price,
        "video-b-3-0": price,
      } satisfies FieldsOf<NonNullable<MockServiceOptions["videoPrices"]>>),
    ),
    refundFailedJobs: z._default(trueOrFalse, false),
    expiry: z._default(choiceOf("failed", "not-found", "all-not-found"), "failed"),
    renewal: z._default(choiceOf("monthly", "never"), "monthly"),
    artwork: z._default(choiceOf("inline", "served"), "inline"),
    pictureFormat: z._default(choiceOf("svg", "png"), "svg"),
    journalLimit: z._default(
      wholeNumber(0, 1_000_000, "a whole number from 0 to 1,000,000"),
      10_000,
    ),
    apiKeyPrefix: z.optional(
      z
        .string({ error: "printable characters ending in a hyphen" })
        .check(z.regex(/^[\x21-\x7e]*-$/, "printable characters ending in a hyphen")),
    ),
  } satisfies FieldsOf<MockServiceOptions>,
  "an object",
);

/** Names of the service's options, which the faces take beside their own. */
export const serviceOptionNames: readonly string[] = /* @__PURE__ */ keysOf(
  serviceOptionsSchema.shape,
);

/** Tells whether a value is text that can stand in a header. */
export const isKey = (key: unknown): key is string =>
  typeof key === "string" && /^[\x21-\x7e]+$/.test(key);

const creditsOf = (pots: z.output<typeof potsSchema> | undefined): CreditPots => {
  if (pots === undefined) return { monthly: 100, purchased: 0 };
  const { monthly = 0, purchased = 0 } = pots;
  return { monthly, purchased };
};

/** Gives the credits that one account starts with; refuses keys that no request could carry. */
export const resolveAccount = (
  key: unknown,
  account: unknown,
  apiKeyPrefix: string,
): StartingCredits => {
  const option = `accounts["${key}"]`;
  if (!isKey(key)) throw refusal(option, "named by printable characters");
  if (!key.startsWith(apiKeyPrefix)) {
    throw refusal(option, `named by a key that begins with "${apiKeyPrefix}" (apiKeyPrefix)`);
  }
  const { credits = {} } = requireFit(option, accountOptionsSchema, account);
  return { image: creditsOf(credits.image), video: creditsOf(credits.video) };
};

const resolveAccounts = (
  accounts: z.output<typeof serviceOptionsSchema>["accounts"],
  apiKeyPrefix: string | undefined,
): MockServiceConfig["accounts"] => {
  const given = accounts ?? { [`${apiKeyPrefix ?? "test-"}key`]: {} };
  return new Map(
    Object.entries(given).map(([key, account]) => [
      key,
      resolveAccount(key, account, apiKeyPrefix ?? ""),
    ]),
  );
};

/** Gives an http(s) URL without a slash at its end. */
export const resolveBaseUrl = (baseUrl: string | undefined): string | undefined => {
  if (baseUrl === undefined) return undefined;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw refusal("baseUrl", "an absolute http(s) URL without query, fragment or user");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
};

/** Fills the defaults and refuses nonsense, once. */
export const resolveOptions = (options: MockServiceOptions): MockServiceConfig => {
  const fitting = requireFit("options", serviceOptionsSchema, options, "");
  const { clock, artwork, journalLimit, refundFailedJobs, expiry, renewal, pictureFormat } =
    fitting;
  return Object.freeze({
    accounts: resolveAccounts(fitting.accounts, fitting.apiKeyPrefix),
    apiKeyPrefix: fitting.apiKeyPrefix ?? "",
    baseUrl: resolveBaseUrl(fitting.baseUrl),
    seed: String(fitting.seed),
    clock,
    rules: Object.freeze({
      paces: resolveTimeline(fitting.timeline),
      videoPrices: { ...defaultVideoPrices, ...fitting.videoPrices },
      refundFailedJobs,
      expiry,
      renewal,
      pictureFormat,
    }),
    artwork,
    journalLimit,
  });
};
