import type { MockAccount } from "../../../../service/account.ts";
import type { MockService } from "../../../../service/mock-service.ts";
import type { Choice } from "../choice.ts";
import { showThing } from "./things.ts";

/** Accounts in the list, entries of the ledger, and brands or saved ads. */
const shown = { accounts: 8, ledger: 15, things: 12 };

/** Adds up the credits that an account has spent and has not got back. */
const spentBy = ({ charges }: MockAccount): number =>
  charges.reduce((sum, { amount, refunded }) => sum + (refunded ? 0 : amount), 0);

const showRow = ({ key, clock, credits, counts }: MockAccount, spent: number, now: number) => ({
  key,
  spent,
  // Whole seconds, because a real clock moves on between the two readings.
  aheadSeconds: Math.round((clock.now() - now) / 1000),
  credits,
  counts,
});

const showAccount = (account: MockAccount, now: number) => ({
  ...showRow(account, spentBy(account), now),
  ledger: {
    total: account.ledger.length,
    items: account.ledger.slice(-shown.ledger).reverse(),
  },
});

/** Counts the things of accounts. To count those of one takes a walk through all of its jobs. */
const countThings = (accounts: readonly MockAccount[]) =>
  accounts.map((account) => ({ account, counts: account.counts }));

/** Lists the newest things of accounts, one account after the other, and counts all of them. */
const listThings = (counted: ReturnType<typeof countThings>, kind: "brands" | "savedAds") => ({
  total: counted.reduce((sum, { counts }) => sum + counts[kind], 0),
  items: counted
    .filter(({ counts }) => counts[kind] > 0)
    // Reading the things of an account copies all of them, and one account has one at least.
    .slice(0, shown.things)
    .flatMap(({ account }) => account[kind].map((thing) => ({ thing, account: account.key })))
    .slice(0, shown.things)
    .map(({ thing, account }) => ({ ...showThing(thing), account })),
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
      .sort((one, other) => other.spent - one.spent)
      .slice(0, shown.accounts)
      .map(({ account, spent }) => showRow(account, spent, now)),
    opened: opened && showAccount(opened, now),
    brands: listThings(inScope, "brands"),
    savedAds: listThings(inScope, "savedAds"),
  };
};

/** The accounts as the page shows them. */
export type AccountsLook = ReturnType<typeof lookAtAccounts>;

/** The account that is chosen. */
export type OpenedAccount = NonNullable<AccountsLook["opened"]>;
