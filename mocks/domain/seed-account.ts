import type { CreateSavedAdRequest } from "../../src/contract/saved-ads.ts";
import { createBrand, createSavedAd, type Owner } from "./library.ts";
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

/** Creates the brands, ads and jobs of a new account. */
export const seedAccount = (
  owner: Owner,
  { brands = [], savedAds = [], jobs = [] }: Opening,
): void => {
  for (const { id, ...fields } of brands) createBrand(owner, fields, id);
  for (const { id, ...fields } of savedAds) createSavedAd(owner, fields, id);
  for (const { id, fail, ...given } of jobs) {
    const { result, ...fields } = given;
    const end = { ...(fail !== undefined && { fail }), ...("result" in given && { result }) };
    addFinishedJob(owner, fields, end, id);
  }
};
