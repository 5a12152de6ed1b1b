import * as z from "zod/mini";
import { type Action, actions } from "../../src/contract/actions.ts";
import { type Clock, systemClock } from "../domain/clock.ts";
import type { Pace, TimedPace, Timeline } from "../domain/job-timeline.ts";
import { defaultVideoPrices } from "../domain/prices.ts";
import type { Opening } from "../domain/seed-account.ts";
import type { Rules } from "../domain/state.ts";
import { accountOptionsSchema, openingOf } from "./account-schema.ts";
import {
  booleanField,
  endlessField,
  type FieldsOf,
  fieldsOnly,
  numberFrom,
  oneOf,
  spanOf,
  textField,
  wholeNumber,
} from "./fields.ts";
import type { MockServiceOptions } from "./options.ts";
import { keysOf, optionError, requireFit } from "./require.ts";

const stateMs = spanOf(endlessField, Number.MAX_SAFE_INTEGER);

const timedPace = fieldsOnly({
  queuedMs: stateMs,
  processingMs: stateMs,
} satisfies FieldsOf<TimedPace>);
const paceError = '"per-poll", or { queuedMs, processingMs }';
const pace = z.union([z.literal("per-poll"), timedPace], { error: paceError });

const paceByAction = fieldsOnly(
  Object.fromEntries(["default", ...actions].map((name) => [name, z.optional(pace)])),
  `${paceError}, or one of these for each action`,
);

// With a higher price, a charge might not be a safe integer.
const price = z.exactOptional(numberFrom(0, 1_000_000, "credits a second, from 0 to 1,000,000"));

const isClock = (value: unknown): boolean => typeof Object(value).now === "function";

/** Returns whether a value is a string that a header can contain. */
const isKey = (key: unknown): key is string =>
  typeof key === "string" && /^[\x21-\x7e]+$/.test(key);

const pageKeyError = "an API key, of printable characters";

const hyphened = "printable characters ending in a hyphen";

const serviceOptions = {
  accounts: z.optional(
    z.record(z.string(), accountOptionsSchema, { error: "an object of accounts by API key" }),
  ),
  baseUrl: z.optional(textField),
  seed: z._default(z.union([z.string(), z.number()], { error: "text or a number" }), "adgen"),
  clock: z.optional(z.custom<Clock>(isClock, { error: "an object with now()" })),
  timeline: z._default(z.custom<Timeline>(), "per-poll"),
  videoPrices: z._default(
    fieldsOnly({
      "video-a-2": price,
      "video-a-2-pro": price,
      "video-b-3-0": price,
    } satisfies FieldsOf<NonNullable<MockServiceOptions["videoPrices"]>>),
    defaultVideoPrices,
  ),
  refundFailedJobs: z._default(booleanField, false),
  expiry: z._default(oneOf(["failed", "not-found", "all-not-found"]), "failed"),
  renewal: z._default(oneOf(["monthly", "never"]), "monthly"),
  journalLimit: z._default(wholeNumber(0, 1_000_000, "a whole number from 0 to 1,000,000"), 10_000),
  apiKeyPrefix: z.optional(
    z.string({ error: hyphened }).check(z.regex(/^[\x21-\x7e]*-$/, hyphened)),
  ),
  pageKey: z.optional(z.string({ error: pageKeyError }).check(z.refine(isKey, pageKeyError))),
  strict: z._default(booleanField, false),
} satisfies FieldsOf<MockServiceOptions>;

/** Schema of the service's options, with their defaults. */
export const serviceOptionsSchema = fieldsOnly(serviceOptions, "an object");

type ServiceOptions = z.output<typeof serviceOptionsSchema>;

/** Names of the service's options, which the adapters accept as well as their own. */
export const serviceOptionNames: readonly string[] = /* @__PURE__ */ keysOf(serviceOptions);

/** Checks a timeline. A pace for all actions becomes the default. */
const readTimeline = (timeline: Timeline): Readonly<Record<string, Pace | undefined>> => {
  const checkBy = <Schema extends z.ZodMiniType>(schema: Schema) =>
    requireFit("timeline", schema, timeline);
  if (typeof timeline === "string") return { default: checkBy(pace) };
  // A number is a time, even if its name is misspelt.
  const isTimed =
    "queuedMs" in Object(timeline) ||
    Object.values(Object(timeline)).some((value) => typeof value === "number");
  return isTimed ? { default: checkBy(timedPace) } : checkBy(paceByAction);
};

/** Returns the pace of each action. */
const resolveTimeline = (timeline: Timeline): Readonly<Record<Action, Pace>> => {
  const { default: others = "per-poll", ...paces } = readTimeline(timeline);
  return Object.freeze(
    Object.fromEntries(actions.map((action) => [action, paces[action] ?? others])),
  ) as Readonly<Record<Action, Pace>>;
};

/** Returns what an account starts with. @throws TypeError for a key that no request could contain */
export const resolveAccount = (key: unknown, account: unknown, apiKeyPrefix: string): Opening => {
  const option = `accounts["${key}"]`;
  if (!isKey(key)) throw optionError(option, "named by printable characters");
  if (!key.startsWith(apiKeyPrefix)) {
    throw optionError(option, `named by a key that begins with "${apiKeyPrefix}" (apiKeyPrefix)`);
  }
  return openingOf(requireFit(option, accountOptionsSchema, account));
};

const resolveAccounts = ({ accounts, apiKeyPrefix }: ServiceOptions) => {
  const given = Object.entries(accounts ?? { [`${apiKeyPrefix ?? "test-"}key`]: {} });
  return new Map(
    given.map(([key, account]) => [key, resolveAccount(key, account, apiKeyPrefix ?? "")]),
  );
};

/** Checks an http(s) URL, and removes the slash at its end. */
export const resolveBaseUrl = (baseUrl: string | undefined): string | undefined => {
  if (baseUrl === undefined) return undefined;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw optionError("baseUrl", "an absolute http(s) URL without query, fragment or user");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
};

/** Checks the options, and fills in the defaults. */
export const resolveOptions = (options: MockServiceOptions) => {
  const fitting = requireFit("options", serviceOptionsSchema, options, "");
  const {
    accounts: _,
    baseUrl,
    seed,
    clock,
    apiKeyPrefix,
    journalLimit,
    pageKey,
    ...rest
  } = fitting;
  const { timeline, videoPrices, ...rules } = rest;
  return Object.freeze({
    accounts: resolveAccounts(fitting),
    apiKeyPrefix: apiKeyPrefix ?? "",
    baseUrl: resolveBaseUrl(baseUrl),
    seed: String(seed),
    clock: clock ?? systemClock,
    rules: Object.freeze<Rules>({
      ...rules,
      paces: resolveTimeline(timeline),
      videoPrices: { ...defaultVideoPrices, ...videoPrices },
    }),
    journalLimit,
    pageKey,
  });
};

/** Options with their defaults filled in. */
export type MockServiceConfig = ReturnType<typeof resolveOptions>;
