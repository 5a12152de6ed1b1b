import type { CreateSavedAdRequest } from "../../src/contract/saved-ads.ts";
import type { JobEnd } from "./job-timeline.ts";
import { createBrand, createSavedAd, type Owner } from "./library.ts";
import type { StartingCredits } from "./state.ts";
import { addFinishedJob, type Submission } from "./submit-job.ts";

/** A brand, an ad or a job to create. Without an id, the service gives it one. */
interface Seed<Fields> {
  readonly id?: string | undefined;
  readonly fields: Fields;
}

/** What an account has when it is opened; lists are oldest first. */
export interface Opening {
  readonly credits: StartingCredits;
  readonly brands?: readonly Seed<Readonly<Record<string, unknown>>>[];
  readonly savedAds?: readonly Seed<CreateSavedAdRequest>[];
  readonly jobs?: readonly (Seed<Submission> & { readonly end: JobEnd })[];
}

/** Creates the brands, ads and jobs of a new account. */
export const seedAccount = (owner: Owner, { brands, savedAds, jobs }: Opening): void => {
  for (const { id, fields } of brands ?? []) createBrand(owner, fields, id);
  for (const { id, fields } of savedAds ?? []) createSavedAd(owner, fields, id);
  for (const { id, fields, end } of jobs ?? []) addFinishedJob(owner, fields, end, id);
};
