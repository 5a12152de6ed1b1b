import type { CreditKind } from "../../src/contract/actions.ts";
import { isCreditAmount } from "../domain/accounts.ts";
import { createOffsetClock, type ManualClock } from "../domain/clock.ts";
import { type CreditPots, grant, setBalance } from "../domain/credits.ts";
import { listJobs } from "../domain/jobs.ts";
import { settle } from "../domain/settle.ts";
import type { AccountState, Context } from "../domain/state.ts";
import type { MockFaults } from "../faults/fault.ts";
import type { MockJournal } from "../journal/journal.ts";
import { requireKnown } from "../options/require.ts";
import type { AccountJobs } from "../outcomes/steer-jobs.ts";
import { type Tenant, timeOf } from "../world/world.ts";
import type { Charge, MockAccount } from "./account.ts";

/** What a view of an account is made from; each is asked at every use, so that it outlives a reset. */
interface AccountSource {
  readonly key: string;
  readonly tenant: () => Tenant;
  readonly context: () => Context;
  readonly clock: ManualClock;
  readonly next: AccountJobs["next"];
  readonly faults: MockFaults;
  readonly journal: MockJournal;
  readonly reset: () => void;
}

const chargesOf = (account: AccountState): Charge[] => {
  const charges: Charge[] = [];
  for (const { reason, jobId, at, credit, monthly, purchased } of account.ledger) {
    const job = jobId === undefined ? undefined : account.jobs.get(jobId);
    if (reason !== "charge" || job === undefined) continue;
    charges.push({
      at,
      jobId: job.id,
      action: job.action,
      credit,
      amount: 0 - monthly - purchased,
      monthly: 0 - monthly,
      purchased: 0 - purchased,
      refunded: job.refunded ?? false,
    });
  }
  return charges;
};

const describe = (charges: readonly Partial<Charge>[]): string =>
  charges
    .map(({ amount, credit, action, ...rest }) => {
      const others = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
      const credits = amount === 1 ? "credit" : "credits";
      const what = [amount, credit, credits].filter((part) => part !== undefined).join(" ");
      return [action === undefined ? what : `${what} for ${action}`, ...others].join(", ");
    })
    .join("; ") || "nothing";

const fits = (charge: Charge | undefined, expected: Partial<Charge>): boolean =>
  charge !== undefined &&
  Object.entries(expected).every(([name, value]) => charge[name as keyof Charge] === value);

/** Of each charge only what the expectation is about. */
const likeExpected = (charge: Charge, expected: readonly Partial<Charge>[]): Partial<Charge> => {
  const names = new Set(["amount", "credit", "action", ...expected.flatMap(Object.keys)]);
  return Object.fromEntries(Object.entries(charge).filter(([name]) => names.has(name)));
};

const requirePots = (credit: CreditKind, pots: Partial<CreditPots>) => {
  requireKnown("credits", pots, ["monthly", "purchased"]);
  const { monthly = 0, purchased = 0 } = pots;
  if (credit !== "image" && credit !== "video") {
    throw new RangeError('The credits must be "image" or "video"');
  }
  if (!isCreditAmount(monthly) || !isCreditAmount(purchased)) {
    throw new RangeError("Credits must be whole numbers, zero or more");
  }
  return { monthly, purchased };
};

export const createAccount = (source: AccountSource): MockAccount => {
  const { key, tenant, context, clock, next, faults, journal, reset } = source;
  const settled = (): Context => {
    const present = context();
    settle(present);
    return present;
  };
  const charges = (): Charge[] => chargesOf(settled().account);
  const latest = (limit: number) => listJobs(context(), limit);
  const everything = Number.POSITIVE_INFINITY;

  return {
    key,
    clock,
    faults,
    journal,
    reset,
    get credits() {
      const { image, video } = settled().account.balances;
      return { image: { ...image }, video: { ...video } };
    },
    get ledger() {
      return [...settled().account.ledger];
    },
    get charges() {
      return charges();
    },
    assertCharges: (expected) => {
      const seen = charges();
      if (
        seen.length === expected.length &&
        expected.every((one, place) => fits(seen[place], one))
      ) {
        return;
      }
      const told = describe(seen.map((charge) => likeExpected(charge, expected)));
      throw new Error(`Expected charges of ${describe(expected)}; saw ${told}`);
    },
    grant: (credit, pots) => {
      const amounts = requirePots(credit, pots);
      const { account, now } = settled();
      const { monthly, purchased } = account.balances[credit];
      requirePots(credit, {
        monthly: monthly + amounts.monthly,
        purchased: purchased + amounts.purchased,
      });
      grant(account, now, credit, amounts);
    },
    setCredits: (credit, pots) => {
      const amounts = requirePots(credit, pots);
      const { account, now } = settled();
      setBalance(account, now, credit, amounts, "adjustment");
    },
    jobs: {
      next,
      latest,
      get all() {
        return latest(everything);
      },
      get count() {
        return tenant().state.jobs.size;
      },
    },
    get brands() {
      return tenant().state.brands.list(everything, (brand) => structuredClone(brand));
    },
    get savedAds() {
      return tenant().state.ads.list(everything, (ad) => structuredClone(ad));
    },
  };
};

/** An account's own time: it goes with the service's. */
export const createAccountClock = (service: ManualClock, tenant: () => Tenant): ManualClock => {
  const clock = createOffsetClock({ now: () => timeOf(tenant(), service.now()) });
  const setTime = (ms: number): void => {
    clock.setTime(ms);
    tenant().offsetMs += clock.offsetMs;
    clock.offsetMs = 0;
  };
  return {
    now: clock.now,
    setTime,
    advance: (ms) => {
      clock.advance(ms);
      tenant().offsetMs += clock.offsetMs;
      clock.offsetMs = 0;
    },
  };
};
