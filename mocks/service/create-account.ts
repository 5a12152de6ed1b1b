import type { CreditKind } from "../../src/contract/actions.ts";
import { applyWhatIsDue } from "../domain/apply-what-is-due.ts";
import { createOffsetClock } from "../domain/clock.ts";
import { addGrant, type CreditPots, setBalance } from "../domain/credits.ts";
import { countJobs, findJobs, listJobs } from "../domain/jobs.ts";
import { type Context, newestFirst } from "../domain/state.ts";
import { createFaults } from "../faults/scheduled-faults.ts";
import {
  type AccountSlot,
  openSlot,
  requireSlot,
  type ServiceState,
} from "../http/service-state.ts";
import { createJournal } from "../journal/journal.ts";
import { creditsSchema, potsOf } from "../options/account-schema.ts";
import { objectsField, timesField } from "../options/fields.ts";
import type { MockAccountOptions } from "../options/options.ts";
import { addMembers, requireFit } from "../options/require.ts";
import { createScheduledOutcomes } from "../outcomes/outcome.ts";
import type { MockAccount } from "./account.ts";
import { assertCharges, chargesOf } from "./charges.ts";
import { contextOf } from "./context.ts";

const creditKinds = ["image", "video"] as const;

/** Reads credits by kind, and fills the pot that is left out. */
const readCredits = (
  given: NonNullable<MockAccountOptions["credits"]>,
): [CreditKind, CreditPots][] => {
  const credits = requireFit("credits", creditsSchema, given);
  return creditKinds.flatMap((kind) => {
    const pots = credits[kind];
    return pots === undefined ? [] : [[kind, potsOf(pots)]];
  });
};

/** Explains the error of a test that still holds a closed account. */
const closed = " any more, because it was removed, or a reset closed it";

/** Creates the view of one account. It finds the account anew at each use, so it outlives a reset. */
export const createAccount = (state: ServiceState, key: string): MockAccount => {
  const findSlot = (): AccountSlot => requireSlot(state, key, closed);

  const faults = createFaults(state, findSlot, key);
  const journal = createJournal(state, key);

  const findContext = (): Context => contextOf(state, findSlot());
  const findUpToDate = (): Context => {
    const context = findContext();
    applyWhatIsDue(context);
    return context;
  };
  const latest = (limit: number) =>
    structuredClone(listJobs(findContext(), requireFit("limit", timesField, limit)));

  const jobs = addMembers(createScheduledOutcomes(state, findSlot, key), {
    latest,
    get all() {
      return latest(Number.POSITIVE_INFINITY);
    },
    get count() {
      return findSlot().state.jobs.size;
    },
  });

  return {
    key,
    toJSON() {
      return { key, credits: this.credits };
    },
    clock: createOffsetClock(state.clock, findSlot),
    faults,
    journal,
    get credits() {
      const { image, video } = findUpToDate().account.balances;
      return { image: { ...image }, video: { ...video } };
    },
    get ledger() {
      return [...findUpToDate().account.ledger];
    },
    get charges() {
      return chargesOf(findUpToDate().account);
    },
    assertCharges: (expected) => {
      requireFit("expected charges", objectsField, expected);
      assertCharges(chargesOf(findUpToDate().account), expected);
    },
    grant: (given) => {
      const kinds = readCredits(given);
      const { account, now } = findUpToDate();
      for (const [kind, amounts] of kinds) addGrant(account, now, kind, amounts);
    },
    setCredits: (given) => {
      const kinds = readCredits(given);
      const { account, now } = findUpToDate();
      for (const [kind, pots] of kinds) setBalance(account, now, kind, pots, "adjustment");
    },
    jobs,
    get brands() {
      return structuredClone(newestFirst(findSlot().state.brands));
    },
    get savedAds() {
      return structuredClone(newestFirst(findSlot().state.ads));
    },
    get counts() {
      const context = findContext();
      const { brands, ads } = context.account;
      return { jobs: countJobs(findJobs(context)), brands: brands.size, savedAds: ads.size };
    },
    reset: () => {
      const { opening } = findSlot();
      faults.clear();
      journal.clear();
      jobs.clearScheduled();
      openSlot(state, key, state.config.accounts.get(key) ?? opening);
    },
  };
};
