import type { MockAccount } from "../../../../service/account.ts";
import type { MockService } from "../../../../service/mock-service.ts";
import type { Choice } from "../choice.ts";
import { fieldsOf } from "../jobs/made.ts";
import { writeJson } from "../markup.ts";

/** Accounts in the list, entries of the ledger, and brands or saved ads. */
const shown = { accounts: 8, ledger: 15, things: 12 };

/** Adds up the credits of each kind that an account has spent and has not got back. */
const spentBy = ({ charges }: MockAccount) => {
  const spent = { image: 0, video: 0 };
  for (const { credit, amount, refunded } of charges) if (!refunded) spent[credit] += amount;
  return spent;
};

type Spent = ReturnType<typeof spentBy>;

const sumOf = ({ image, video }: Spent): number => image + video;

const showRow = ({ key, clock, credits, counts }: MockAccount, spent: Spent, now: number) => ({
  key,
  spent,
  // Whole seconds, because a real clock moves on between the two readings.
  aheadSeconds: Math.round((clock.now() - now) / 1000),
  credits,
  counts,
});

/** Shows a part of the ledger, newest first: each entry with its number and the action of its job. */
const showLedger = ({ jobs }: MockService, { ledger }: MockAccount, until = ledger.length) => {
  const end = Math.min(until, ledger.length);
  const start = Math.max(0, end - shown.ledger);
  const items = ledger
    .slice(start, end)
    .map((entry) => ({ ...entry, action: entry.jobId && jobs.inspect(entry.jobId)?.job.action }))
    .reverse();
  return { total: ledger.length, newer: ledger.length - end, older: start, items };
};

const showAccount = (service: MockService, account: MockAccount, choice: Partial<Choice>) => ({
  ...showRow(account, spentBy(account), service.clock.now()),
  ledger: showLedger(service, account, choice.ledger),
});

/** Counts the things of accounts. To count those of one takes a walk through all of its jobs. */
const countThings = (accounts: readonly MockAccount[]) =>
  accounts.map((account) => ({ account, counts: account.counts }));

/** Names a brand or an ad, whose fields clients choose freely. */
const nameOf = (thing: { readonly id: string }): string => {
  const { name, title, headline } = fieldsOf(thing);
  const label = [name, title, headline].find((value) => typeof value === "string");
  return String(label ?? thing.id).slice(0, 120);
};

/** Lists the newest things of accounts, one account after the other, and counts all of them. */
const listThings = (counted: ReturnType<typeof countThings>, kind: "brands" | "savedAds") => ({
  total: counted.reduce((sum, { counts }) => sum + counts[kind], 0),
  items: counted
    .filter(({ counts }) => counts[kind] > 0)
    // Reading the things of an account copies all of them, and one account has one at least.
    .slice(0, shown.things)
    .flatMap(({ account }) => account[kind].map((thing) => ({ thing, account: account.key })))
    .slice(0, shown.things)
    .map(({ thing, account }) => ({
      account,
      key: `${account}-${thing.id}`,
      name: nameOf(thing),
      text: writeJson(thing, 1500),
    })),
});

/** Reads some of the accounts, the one that is chosen, and the library of the chosen ones. */
export const lookAtAccounts = (service: MockService, choice: Partial<Choice> = {}) => {
  const { accounts } = service;
  const now = service.clock.now();
  const text = (choice.accounts ?? "").toLowerCase();
  const fitting = accounts.filter(({ key }) => key.toLowerCase().includes(text));
  const chosen = accounts.filter(({ key }) => key === choice.account);
  const [opened] = accounts.length === 1 ? accounts : chosen;
  const inScope = countThings(chosen.length > 0 ? chosen : accounts);
  return {
    total: accounts.length,
    fitting: fitting.length,
    /** Those that have spent most come first. */
    items: fitting
      .map((account) => ({ account, spent: spentBy(account) }))
      .sort((one, other) => sumOf(other.spent) - sumOf(one.spent))
      .slice(0, shown.accounts)
      .map(({ account, spent }) => showRow(account, spent, now)),
    opened: opened && showAccount(service, opened, choice),
    brands: listThings(inScope, "brands"),
    savedAds: listThings(inScope, "savedAds"),
  };
};

/** The accounts as the page shows them. */
export type AccountsLook = ReturnType<typeof lookAtAccounts>;

/** The account that is chosen. */
export type OpenedAccount = NonNullable<AccountsLook["opened"]>;
