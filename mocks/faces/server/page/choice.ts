import { actions } from "../../../../src/contract/actions.ts";
import { jobStatuses } from "../../../../src/contract/jobs.ts";
import type { JobSearch } from "../../../outcomes/job-search.ts";

/** Choice of the things to show, as the page's address has it. */
export interface Choice extends Pick<JobSearch, "account" | "action" | "text" | "before"> {
  /** State of the jobs in one long list. Without it, each state has a lane of its own. */
  readonly status?: (typeof jobStatuses)[number];
  /** Id of the job that is shown whole. */
  readonly job?: string;
  /** Part of the keys in the list of accounts. */
  readonly accounts?: string;
}

const oneOf = <const Value extends string>(
  values: readonly Value[],
  value: string | null,
): Value | undefined => values.find((one) => one === value);

/** Reads the choice from a query. A value that makes no sense there chooses everything. */
export const readChoice = (query: URLSearchParams): Choice => {
  const status = oneOf(jobStatuses, query.get("status"));
  const action = oneOf(actions, query.get("action"));
  const texts = ["account", "text", "before", "job", "accounts"].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });
  return {
    ...Object.fromEntries(texts),
    ...(status !== undefined && { status }),
    ...(action !== undefined && { action }),
  };
};

/** Makes links that keep the rest of the choice. */
export type LinkTo = (changes: Readonly<Record<string, string | undefined>>) => string;

/** Parameters that the page's script adds for one poll: no link needs them. */
const ofOneLook = ["open", "until", "entry"];

/** Makes the function that writes links. A change to `undefined` leaves a name out. */
export const createLinks =
  (query: URLSearchParams): LinkTo =>
  (changes) => {
    const next = new URLSearchParams(query);
    for (const name of ofOneLook) next.delete(name);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) next.delete(name);
      else next.set(name, value);
    }
    return `/__mock/${next.size > 0 ? "?" : ""}${next}`;
  };
