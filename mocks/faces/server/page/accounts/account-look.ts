import type { AccountCounts, MockAccount } from "../../../../service/account.ts";
import type { MockService } from "../../../../service/mock-service.ts";
import type { Choice } from "../choice.ts";
import { showThing, type Thing } from "./things.ts";

/** Accounts in the list, and entries of the ledger. */
const shown = { accounts: 8, ledger: 15, things: 12 };

/** Adds up the credits that an account has spent and has not got back. */
const spentBy = ({ charges }: MockAccount): number =>
  charges.reduce((sum, { amount, refunded }) => sum + (refunded ? 0 : amount), 0);

const showRow = (account: MockAccount, serviceTime: number) => ({
  key: account.key,
  spent: spentBy(account),
  // Whole seconds, because a real clock moves on between the two readings.
  aheadSeconds: Math.round((account.clock.now() - serviceTime) / 1000),
  credits: account.credits,
  counts: account.counts,
});

const showAccount = (account: MockAccount, serviceTime: number) => ({
  ...showRow(account, serviceTime),
  ledger: {
    total: account.ledger.length,
    items: account.ledger.slice(-shown.ledger).reverse(),
  },
});

/** An account, and the number of its things. */
interface Counted {
  readonly account: MockAccount;
  readonly counts: AccountCounts;
}

/** Lists the newest things of accounts, one account after the other, and counts all of them. */
const listThings = (
  accounts: readonly Counted[],
  kind: "brands" | "savedAds",
): {
  readonly total: number;
  readonly items: readonly (Thing & { readonly account: string })[];
} => {
  const items: (Thing & { readonly account: string })[] = [];
  for (const { account, counts } of accounts) {
    const room = shown.things - items.length;
    // Reading the things of an account copies all of them.
    if (room <= 0 || counts[kind] === 0) continue;
    const things = account[kind].slice(0, room);
    items.push(...things.map((thing) => ({ ...showThing(thing), account: account.key })));
  }
  return { total: accounts.reduce((sum, { counts }) => sum + counts[kind], 0), items };
};

/** Reads some of the accounts, the one that is chosen, and the library of the chosen ones. */
export const lookAtAccounts = (service: MockService, choice: Partial<Choice> = {}) => {
  const { accounts } = service;
  const now = service.clock.now();
  const text = (choice.accounts ?? "").toLowerCase();
  const fitting = accounts.filter(({ key }) => key.toLowerCase().includes(text));
  const chosen = accounts.filter(({ key }) => key === choice.account);
  const [opened] = accounts.length === 1 ? accounts : chosen;
  const inScope = (chosen.length > 0 ? chosen : accounts).map((account) => ({
    account,
    counts: account.counts,
  }));
  return {
    total: accounts.length,
    fitting: fitting.length,
    /** Those that have spent most come first. */
    items: fitting
      .map((account) => ({ account, spent: spentBy(account) }))
      .sort((one, other) => other.spent - one.spent)
      .slice(0, shown.accounts)
      .map(({ account }) => showRow(account, now)),
    opened: opened && showAccount(opened, now),
    brands: listThings(inScope, "brands"),
    savedAds: listThings(inScope, "savedAds"),
  };
};

/** The accounts as the page shows them. */
export type AccountsLook = ReturnType<typeof lookAtAccounts>;

export type AccountRow = AccountsLook["items"][number];

export type OpenedAccount = NonNullable<AccountsLook["opened"]>;

/** A brand or a saved ad, with the key of its account. */
export type OwnedThing = AccountsLook["brands"]["items"][number];
