import type { CreditKind } from "../../src/contract/actions.ts";
import { assumedMessages } from "../../src/contract/error-messages.ts";
import { type CreditPots, grant, type LedgerEntry } from "./credits.ts";
import { Fault } from "./fault.ts";
import { settleRefunds } from "./jobs.ts";
import { type AccountState, type Context, createAccountState } from "./state.ts";

/** The credits an account starts with. */
export type StartingCredits = Readonly<Record<CreditKind, CreditPots>>;

/** One API key's account, for a test to look into. */
export interface MockAccount {
  /** The API key that opens it. */
  readonly key: string;
  /** The balances of now, in whole credits. */
  readonly credits: StartingCredits;
  /** Every change of the balances so far, oldest first; the entries sum to `credits`. */
  readonly ledger: readonly LedgerEntry[];
  /** Adds whole credits, zero or more, to one kind: those left out are not changed. */
  grant(credit: CreditKind, pots: Partial<CreditPots>): void;
}

export const isCreditAmount = (amount: unknown): amount is number =>
  Number.isSafeInteger(amount) && (amount as number) >= 0;

/** Opens an account; what it starts with is its first ledger entry of each kind. */
export const openAccount = (
  key: string,
  credits: StartingCredits,
  seed: string,
  now: number,
): AccountState => {
  const account = createAccountState(key, seed);
  grant(account, now, "image", credits.image);
  grant(account, now, "video", credits.video);
  return account;
};

/**
 * The account whose key an `Authorization` header holds.
 *
 * @see API v1, section 5 "Authentication"
 */
export const authenticate = (
  accounts: ReadonlyMap<string, AccountState>,
  authorization: string | null,
): AccountState => {
  const [, key = ""] = /^Bearer (.+)$/s.exec(authorization ?? "") ?? [];
  const account = accounts.get(key);
  if (account === undefined) throw new Fault(401, assumedMessages.unauthorized);
  return account;
};

/** `context` is asked at every use, so that a view outlives a reset. */
export const createAccountView = (key: string, context: () => Context): MockAccount => {
  const settled = (): AccountState => {
    const present = context();
    settleRefunds(present);
    return present.account;
  };
  return {
    key,
    get credits() {
      const { image, video } = settled().balances;
      return { image: { ...image }, video: { ...video } };
    },
    get ledger() {
      return [...settled().ledger];
    },
    grant: (credit, { monthly = 0, purchased = 0 }) => {
      if (credit !== "image" && credit !== "video") {
        throw new RangeError('The credits to grant must be "image" or "video"');
      }
      if (!isCreditAmount(monthly) || !isCreditAmount(purchased)) {
        throw new RangeError("Credits to grant must be whole numbers, zero or more");
      }
      grant(settled(), context().now, credit, { monthly, purchased });
    },
  };
};
