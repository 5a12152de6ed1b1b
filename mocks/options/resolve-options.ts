import * as z from "zod/mini";
import { type Action, actions } from "../../src/contract/actions.ts";
import { type Clock, systemClock } from "../domain/clock.ts";
import type { Pace, TimedPace, Timeline } from "../domain/job-timeline.ts";
import { defaultVideoPrices } from "../domain/prices.ts";
import type { Opening } from "../domain/seed-account.ts";
import type { Rules } from "../domain/state.ts";
import type { ArtworkFormat } from "../seeded/artwork.ts";
import { accountOptionsSchema, openingOf } from "./account-schema.ts";
import {
  endless,
  type FieldsOf,
  fieldsOnly,
  milliseconds,
  numberFrom,
  oneOf,
  optional,
  spanOf,
  text,
  trueOrFalse,
  wholeNumber,
  withDefault,
} from "./fields.ts";
import type { ArtworkOptions, MockServiceOptions } from "./options.ts";
import { keysOf, refusal, requireFit } from "./require.ts";

const stateMs = spanOf(z.union([milliseconds, endless]), Number.MAX_SAFE_INTEGER);

const perPoll = z.literal("per-poll");
const timedPace = fieldsOnly({
  queuedMs: stateMs.check(z.describe("Milliseconds that a job is queued")),
  processingMs: stateMs.check(z.describe("Milliseconds that it is processed after that")),
} satisfies FieldsOf<TimedPace>);
const paceError = '"per-poll", or { queuedMs, processingMs }';
const pace = z.union([perPoll, timedPace], { error: paceError });

const paceNames: readonly string[] = ["default", ...actions];

// zod reports keys that an enum lacks only after the other readings of a union. Hence the check.
const paceName = z.string().check(
  z.refine((name) => paceNames.includes(name)),
  z.describe(`One of ${paceNames.join(", ")}`),
);

/** Schema of the pace at which jobs get on, one for all actions or one for each. */
const timelineSchema = z.union(
  [perPoll, timedPace, z.record(paceName, pace, { error: paceNames.join(", ") })],
  { error: `${paceError}, or one of these for each action` },
) satisfies z.ZodMiniType<Timeline>;

// A higher price would make charges that arithmetic cannot tell from their neighbours.
const price = z.exactOptional(numberFrom(0, 1_000_000, "credits a second, from 0 to 1,000,000"));

const isClock = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "now" in value && typeof value.now === "function";

const choiceOf = <const Choice extends string>(...choices: readonly Choice[]) => {
  const [last, ...others] = choices.map((choice) => `"${choice}"`).reverse();
  return z.enum(choices, { error: `${others.reverse().join(", ")} or ${last}` });
};

/** Tells whether a value is text that can stand in a header. */
const isKey = (key: unknown): key is string =>
  typeof key === "string" && /^[\x21-\x7e]+$/.test(key);

const pageKeyError = "an API key, of printable characters";

const hyphened = "printable characters ending in a hyphen";

/**
 * Options of the service. The command's help prints these descriptions and defaults; tests compare
 * them with the comments of `MockServiceOptions` and with the guide.
 */
const serviceOptions = {
  accounts: optional(
    z.record(z.string(), accountOptionsSchema, { error: "an object of accounts by API key" }),
    "Accounts by API key; each sees only its own jobs, brands, ads and credits",
  ),
  baseUrl: optional(text, "The only base URL that is answered, path included"),
  seed: withDefault(
    z.union([z.string(), z.number()], { error: "text or a number" }),
    "adgen",
    "Source of all ids, draws and pictures",
  ),
  clock: optional(
    z.custom<Clock>(isClock, { error: "an object with now()" }),
    "Source of the time",
  ),
  timeline: withDefault(timelineSchema, "per-poll", "Pace at which jobs get on"),
  videoPrices: withDefault(
    fieldsOnly({
      "video-a-2": price,
      "video-a-2-pro": price,
      "video-b-3-0": price,
    } satisfies FieldsOf<NonNullable<MockServiceOptions["videoPrices"]>>),
    defaultVideoPrices,
    "Video credits a second for each model, zero or more",
  ),
  refundFailedJobs: withDefault(
    trueOrFalse,
    false,
    "Pays a job that fails or expires back, into the pots that paid it",
  ),
  expiry: withDefault(
    choiceOf("failed", "not-found", "all-not-found"),
    "failed",
    "End of a job 30 minutes after its submission",
  ),
  renewal: withDefault(
    choiceOf("monthly", "never"),
    "monthly",
    "Renewal of each account's monthly credits",
  ),
  artwork: withDefault(
    choiceOf("inline", "served"),
    "inline",
    "Place of the pictures and videos of results",
  ),
  pictureFormat: withDefault(choiceOf("svg", "png"), "svg", "Format of the pictures in results"),
  journalLimit: withDefault(
    wholeNumber(0, 1_000_000, "a whole number from 0 to 1,000,000"),
    10_000,
    "Count of the requests that the journal remembers, 0 to 1,000,000",
  ),
  apiKeyPrefix: optional(
    z.string({ error: hyphened }).check(z.regex(/^[\x21-\x7e]*-$/, hyphened)),
    "Start of every API key, ending in a hyphen",
  ),
  pageKey: optional(
    z.string({ error: pageKeyError }).check(z.refine(isKey, pageKeyError)),
    "API key of the requests that bring none",
  ),
  strict: withDefault(
    trueOrFalse,
    false,
    "Refuses parameters of a job that the API's document does not name",
  ),
} satisfies FieldsOf<MockServiceOptions>;

const serviceOptionsSchema = fieldsOnly(serviceOptions, "an object");

type ServiceOptions = z.output<typeof serviceOptionsSchema>;

/** Names of the service's options, which the faces take beside their own. */
export const serviceOptionNames: readonly string[] = /* @__PURE__ */ keysOf(serviceOptions);

/** Describes one option of the service, for help and guides. */
export const describeOption = (name: keyof MockServiceOptions) => {
  const schema: z.ZodMiniType = serviceOptions[name];
  return {
    description: z.globalRegistry.get(schema)?.description ?? "",
    /** Default as JSON; `undefined` where words describe it. */
    byDefault: schema.safeParse(undefined).data,
    accepts: (value: unknown): boolean => schema.safeParse(value).success,
    /** End of the sentence "It must be …". */
    expected: schema.safeParse(null).error?.issues[0]?.message ?? "",
  };
};

const isPace = (timeline: z.output<typeof timelineSchema>): timeline is Pace =>
  timeline === "per-poll" || "queuedMs" in timeline;

/** Gives the pace of each action, by a timeline that fits its schema. */
const resolveTimeline = (
  timeline: z.output<typeof timelineSchema>,
): Readonly<Record<Action, Pace>> => {
  const paceOf = (action: Action): Pace =>
    isPace(timeline) ? timeline : (timeline[action] ?? timeline["default"] ?? "per-poll");
  return Object.freeze(
    Object.fromEntries(actions.map((action) => [action, paceOf(action)])),
  ) as Readonly<Record<Action, Pace>>;
};

/** Gives what one account starts with; refuses keys that no request could carry. */
export const resolveAccount = (key: unknown, account: unknown, apiKeyPrefix: string): Opening => {
  const option = `accounts["${key}"]`;
  if (!isKey(key)) throw refusal(option, "named by printable characters");
  if (!key.startsWith(apiKeyPrefix)) {
    throw refusal(option, `named by a key that begins with "${apiKeyPrefix}" (apiKeyPrefix)`);
  }
  return openingOf(requireFit(option, accountOptionsSchema, account));
};

const resolveAccounts = ({ accounts, apiKeyPrefix }: ServiceOptions) => {
  const given = Object.entries(accounts ?? { [`${apiKeyPrefix ?? "test-"}key`]: {} });
  return new Map(
    given.map(([key, account]) => [key, resolveAccount(key, account, apiKeyPrefix ?? "")]),
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
export const resolveOptions = (options: MockServiceOptions) => {
  const fitting = requireFit("options", serviceOptionsSchema, options, "");
  const { apiKeyPrefix = "", baseUrl, seed, timeline, clock = systemClock, videoPrices } = fitting;
  const { artwork, journalLimit, refundFailedJobs, expiry, renewal, pictureFormat } = fitting;
  const { pageKey, strict } = fitting;
  return Object.freeze({
    accounts: resolveAccounts(fitting),
    apiKeyPrefix,
    baseUrl: resolveBaseUrl(baseUrl),
    seed: String(seed),
    clock,
    rules: Object.freeze<Rules>({
      paces: resolveTimeline(timeline),
      videoPrices: { ...defaultVideoPrices, ...videoPrices },
      refundFailedJobs,
      expiry,
      renewal,
      pictureFormat,
      strict,
    }),
    artwork,
    journalLimit,
    pageKey,
  });
};

/** Options with their defaults filled in. */
export type MockServiceConfig = ReturnType<typeof resolveOptions>;

const artworkSchema = fieldsOnly({
  format: z._default(oneOf(["svg", "png", "mp4"]), "svg"),
} satisfies FieldsOf<ArtworkOptions>);

/**
 * Gives the format that was asked for.
 *
 * @throws TypeError when it is none
 */
export const resolveFormat = (options: ArtworkOptions): ArtworkFormat =>
  requireFit("artwork options", artworkSchema, options, "artwork").format;
