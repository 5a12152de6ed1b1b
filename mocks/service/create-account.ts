import type { CreditKind } from "../../src/contract/actions.ts";
import { applyWhatIsDue } from "../domain/apply-what-is-due.ts";
import { createOffsetClock } from "../domain/clock.ts";
import { type CreditPots, grant, setBalance } from "../domain/credits.ts";
import { deliberate } from "../domain/deliberate.ts";
import { countJobs, listJobs, seeJobs } from "../domain/jobs.ts";
import { type Context, newestFirst } from "../domain/state.ts";
import { createFaults } from "../faults/planned-faults.ts";
import { createJournal } from "../journal/journal.ts";
import { credit as creditKind, limit as listLimit, listOfObjects } from "../options/fields.ts";
import { describeMisfit, extend, requireFit } from "../options/require.ts";
import { potsSchema } from "../options/resolve-options.ts";
import { createPlannedOutcomes } from "../outcomes/outcome.ts";
import { type AccountSlot, openSlot, requireSlot } from "../world/world.ts";
import type { MockAccount } from "./account.ts";
import { assertCharges, chargesOf } from "./charges.ts";
import { contextOf, type Engine } from "./engine.ts";

const requirePots = (credit: CreditKind, pots: Partial<CreditPots>): CreditPots => {
  const misfit =
    describeMisfit("credit", creditKind, credit) ??
    describeMisfit(`${credit} credits`, potsSchema, pots, `credits.${credit}`);
  if (misfit !== undefined) throw deliberate(new RangeError(`The mock's ${misfit}`));
  const { monthly = 0, purchased = 0 } = pots;
  return { monthly, purchased };
};

/** Words for an account that a test still holds. */
const closed = " any more, because it was removed, or a reset or a restore closed it";

/** Creates the view of one account. It finds the account anew at each use, so it outlives a reset. */
export const createAccount = (engine: Engine, key: string): MockAccount => {
  const { config, current, faces } = engine;
  const findSlot = (): AccountSlot => requireSlot(current.world, key, closed);
  const requireAccount = (name: string): unknown => requireSlot(current.world, name);

  const faults = createFaults(current, faces, requireAccount, key);
  const journal = createJournal(current, key);

  const findContext = (): Context => contextOf(engine, findSlot());
  const findUpToDate = (): Context => {
    const context = findContext();
    applyWhatIsDue(context);
    return context;
  };
  const latest = (limit: number) =>
    structuredClone(listJobs(findContext(), requireFit("limit", listLimit, limit)));

  const jobs = extend(createPlannedOutcomes(current, requireAccount, key), {
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
    clock: createOffsetClock(engine.clock, findSlot),
    get faults() {
      findSlot();
      return faults;
    },
    get journal() {
      findSlot();
      return journal;
    },
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
      requireFit("expected charges", listOfObjects, expected);
      assertCharges(chargesOf(findUpToDate().account), expected);
    },
    grant: (credit, pots) => {
      const amounts = requirePots(credit, pots);
      const { account, now } = findUpToDate();
      const { monthly, purchased } = account.balances[credit];
      requirePots(credit, {
        monthly: monthly + amounts.monthly,
        purchased: purchased + amounts.purchased,
      });
      grant(account, now, credit, amounts);
    },
    setCredits: (credit, pots) => {
      const amounts = requirePots(credit, pots);
      const { account, now } = findUpToDate();
      setBalance(account, now, credit, amounts, "adjustment");
    },
    get jobs() {
      findSlot();
      return jobs;
    },
    get brands() {
      return structuredClone(newestFirst(findSlot().state.brands));
    },
    get savedAds() {
      return structuredClone(newestFirst(findSlot().state.ads));
    },
    get counts() {
      const context = findContext();
      const { brands, ads } = context.account;
      return { jobs: countJobs(seeJobs(context)), brands: brands.size, savedAds: ads.size };
    },
    reset: () => {
      const { starting } = findSlot().state;
      faults.clear();
      journal.clear();
      jobs.clearPlanned();
      openSlot(current.world, key, config.accounts.get(key) ?? starting, engine.clock.now());
    },
  };
};
