import type { CreateSavedAdRequest } from "../../src/contract/saved-ads.ts";
import { createBrand, createSavedAd, type Owner } from "./library.ts";
import { Refusal } from "./messages.ts";
import type { StartingCredits } from "./state.ts";
import { addFinishedJob, type Submission } from "./submit-job.ts";

/** The fields of something to create. Without an id, the service gives it one. */
type Seeds<Fields> = readonly (Fields & { readonly id?: string | undefined })[] | undefined;

/** A finished job: failed if `fail` is given, otherwise completed with `result` or the standard result. */
interface FinishedJob extends Submission {
  readonly fail?: string | undefined;
  readonly result?: unknown;
}

/** What an account has when it is opened; lists are oldest first. */
export interface Opening {
  readonly credits: StartingCredits;
  readonly brands?: Seeds<Readonly<Record<string, unknown>>>;
  readonly savedAds?: Seeds<CreateSavedAdRequest>;
  readonly jobs?: Seeds<FinishedJob>;
}

/** Creates each seed of a list. @throws TypeError that names the seed which the service refuses */
const createEach = <Seed>(
  list: string,
  seeds: readonly Seed[] = [],
  create: (seed: Seed) => void,
): void => {
  for (const [place, seed] of seeds.entries()) {
    try {
      create(seed);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new TypeError(`The mock cannot create ${list}[${place}]: ${error.message}`);
    }
  }
};

/** Creates the brands, ads and jobs of a new account. */
export const seedAccount = (owner: Owner, { brands, savedAds, jobs }: Opening): void => {
  const start = `accounts["${owner.account.key}"]`;
  createEach(`${start}.brands`, brands, ({ id, ...fields }) => createBrand(owner, fields, id));
  createEach(`${start}.savedAds`, savedAds, ({ id, ...fields }) =>
    createSavedAd(owner, fields, id),
  );
  createEach(`${start}.jobs`, jobs, ({ id, fail, ...given }) => {
    const { result, ...fields } = given;
    const end = { ...(fail !== undefined && { fail }), ...("result" in given && { result }) };
    addFinishedJob(owner, fields, end, id);
  });
};
