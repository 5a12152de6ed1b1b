import * as z from "zod/mini";
import { apiKey, fieldsOnly, milliseconds, optional } from "../../../options/fields.ts";
import { accountOptionsSchema, isKey, potsSchema } from "../../../options/resolve-options.ts";
import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { messageOf } from "../log-line.ts";
import { setRealTime } from "./real-time.ts";
import { refuse } from "./refuse.ts";
import { defineRoute, ofAccount } from "./route.ts";

const timeError = "milliseconds since 1970, or a time such as 2026-01-31T12:00:00Z";

const isoTime = z.pipe(
  z.string().check(z.refine((value) => Number.isFinite(Date.parse(value)), { error: timeError })),
  z.transform((value) => Date.parse(value)),
);

/** Body that moves a clock. */
const clockMove = fieldsOnly({
  advanceMs: optional(milliseconds, "Milliseconds to move forward"),
  time: optional(
    z.union([z.number(), isoTime], { error: timeError }),
    "Time to move to: milliseconds since 1970, or in ISO 8601",
  ),
}).check(
  z.refine(({ advanceMs, time }) => (advanceMs === undefined) !== (time === undefined), {
    error: "an object of either advanceMs or time",
  }),
);

/** Body that opens an account. */
const newAccount = fieldsOnly({
  key: apiKey.check(z.refine(isKey, { error: "an API key: printable characters, no spaces" })),
  ...accountOptionsSchema.shape,
});

/** Body that grants or sets credits. */
const creditChange = fieldsOnly({
  credit: z.enum(["image", "video"], { error: '"image" or "video"' }),
  ...potsSchema.shape,
}).check(
  z.refine(({ monthly, purchased }) => monthly !== undefined || purchased !== undefined, {
    error: "an object of credit, and of monthly, purchased or both",
  }),
);

type AdminClock = MockService["clock"];

const showTime = (clock: AdminClock) => {
  const now = clock.now();
  return { now, time: new Date(now).toISOString() };
};

const moveClock = (clock: AdminClock, { advanceMs, time }: z.output<typeof clockMove>) => {
  try {
    if (advanceMs !== undefined) clock.advance(advanceMs);
    if (time !== undefined) clock.setTime(time);
  } catch (error) {
    const field = time === undefined ? "advanceMs" : "time";
    throw refuse(400, `${field}: ${messageOf(error)}`);
  }
  return showTime(clock);
};

const showAccount = (account: MockAccount) => ({
  key: account.key,
  ...showTime(account.clock),
  credits: account.credits,
});

export const accountRoutes = {
  listAccounts: defineRoute({
    summary: "Lists all accounts with their credits",
    run: ({ service }) => ({ accounts: service.accounts.map(showAccount) }),
  }),
  openAccount: defineRoute({
    summary: "Opens an account",
    input: { body: newAccount },
    run: ({ service, body: { key, ...options } }) => {
      if (service.accounts.some((account) => account.key === key)) {
        throw refuse(409, `An account has the key "${key}" already; reset or remove that one`);
      }
      return showAccount(service.addAccount(key, options));
    },
  }),
  showAccount: defineRoute({
    summary: "Shows one account: whole ledger, charges, brands, saved ads",
    input: { path: ofAccount },
    run: ({ scope }) => {
      const { ledger, charges, brands, savedAds, counts } = scope;
      return { ...showAccount(scope), ledger, charges, brands, savedAds, counts };
    },
  }),
  grantCredits: defineRoute({
    summary: "Adds credits of one kind; a pot left out does not change",
    input: { path: ofAccount, body: creditChange },
    run: ({ scope, body: { credit, ...pots } }) => {
      scope.grant(credit, pots);
      return showAccount(scope);
    },
  }),
  setCredits: defineRoute({
    summary: "Sets the credits of one kind; a pot left out becomes empty",
    input: { path: ofAccount, body: creditChange },
    run: ({ scope, body: { credit, ...pots } }) => {
      scope.setCredits(credit, pots);
      return showAccount(scope);
    },
  }),
  resetAccount: defineRoute({
    summary: "Makes one account as new",
    input: { path: ofAccount },
    run: ({ scope }) => {
      scope.reset();
      return showAccount(scope);
    },
  }),
  removeAccount: defineRoute({
    summary:
      "Closes one account, forgets all it holds, and lists the others; its key is then a wrong one",
    input: { path: ofAccount },
    run: ({ service, scope }) => {
      service.removeAccount(scope.key);
      return { accounts: service.accounts.map(showAccount) };
    },
  }),
  readAccountClock: defineRoute({
    summary: "Shows the time of one account",
    input: { path: ofAccount },
    run: ({ scope }) => showTime(scope.clock),
  }),
  moveAccountClock: defineRoute({
    summary: "Moves the time of one account forward",
    input: { path: ofAccount, body: clockMove },
    run: ({ scope, body }) => moveClock(scope.clock, body),
  }),
  readClock: defineRoute({
    summary: "Shows the service's time",
    run: ({ service }) => showTime(service.clock),
  }),
  moveClock: defineRoute({
    summary: "Moves the time of every account forward",
    input: { body: clockMove },
    run: ({ service, body }) => moveClock(service.clock, body),
  }),
  setRealTime: defineRoute({
    summary: "Sets the service's time to real time; backwards only while nothing is later",
    run: ({ service }) => {
      setRealTime(service);
      return showTime(service.clock);
    },
  }),
};
