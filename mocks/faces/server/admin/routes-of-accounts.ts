import * as z from "zod/mini";
import { fieldsOnly, milliseconds, optional, text } from "../../../options/fields.ts";
import { accountOptionsSchema, potsSchema } from "../../../options/resolve-options.ts";
import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { noFields } from "./read-input.ts";
import { setRealTime } from "./real-time.ts";
import { accountAt, refuse, refuseAs } from "./refuse.ts";
import { defineRoute } from "./route.ts";

const ofAccount = z.object({ key: text.check(z.describe("API key of the account.")) });

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
  key: z.string({ error: "an API key" }).check(z.minLength(1, { error: "an API key" })),
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
  if (advanceMs !== undefined) refuseAs("advanceMs", () => clock.advance(advanceMs));
  if (time !== undefined) refuseAs("time", () => clock.setTime(time));
  return showTime(clock);
};

const showAccount = (account: MockAccount) => ({
  key: account.key,
  ...showTime(account.clock),
  credits: account.credits,
});

/** Changes an account, and shows it as it is then. */
const change = (service: MockService, key: string, work: (account: MockAccount) => void) => {
  const account = accountAt(service, key);
  work(account);
  return showAccount(account);
};

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
      return showAccount(refuseAs("key", () => service.addAccount(key, options)));
    },
  }),
  showAccount: defineRoute({
    summary: "Shows one account: whole ledger, charges, brands, saved ads",
    input: { path: ofAccount },
    run: ({ service, path }) => {
      const account = accountAt(service, path.key);
      const { ledger, charges, brands, savedAds, counts } = account;
      return { ...showAccount(account), ledger, charges, brands, savedAds, counts };
    },
  }),
  grantCredits: defineRoute({
    summary: "Adds credits of one kind; a pot left out does not change",
    input: { path: ofAccount, body: creditChange },
    run: ({ service, path, body: { credit, ...pots } }) =>
      change(service, path.key, (account) => refuseAs("credit", () => account.grant(credit, pots))),
  }),
  setCredits: defineRoute({
    summary: "Sets the credits of one kind; a pot left out becomes empty",
    input: { path: ofAccount, body: creditChange },
    run: ({ service, path, body: { credit, ...pots } }) =>
      change(service, path.key, (account) =>
        refuseAs("credit", () => account.setCredits(credit, pots)),
      ),
  }),
  resetAccount: defineRoute({
    summary: "Makes one account as new",
    input: { path: ofAccount, body: noFields },
    run: ({ service, path }) => change(service, path.key, (account) => account.reset()),
  }),
  removeAccount: defineRoute({
    summary:
      "Closes one account, forgets all it holds, and lists the others; its key is then a wrong one",
    input: { path: ofAccount },
    run: ({ service, path }) => {
      accountAt(service, path.key);
      service.removeAccount(path.key);
      return { accounts: service.accounts.map(showAccount) };
    },
  }),
  readAccountClock: defineRoute({
    summary: "Shows the time of one account",
    input: { path: ofAccount },
    run: ({ service, path }) => showTime(accountAt(service, path.key).clock),
  }),
  moveAccountClock: defineRoute({
    summary: "Moves the time of one account forward",
    input: { path: ofAccount, body: clockMove },
    run: ({ service, path, body }) => moveClock(accountAt(service, path.key).clock, body),
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
    input: { body: noFields },
    run: ({ service }) => {
      setRealTime(service);
      return showTime(service.clock);
    },
  }),
};
