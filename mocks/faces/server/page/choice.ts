import { actions, creditOfAction } from "../../../../src/contract/actions.ts";
import { endpoints } from "../../../../src/contract/endpoint.ts";
import { jobStatuses } from "../../../../src/contract/jobs.ts";
import { faultKinds } from "../../../faults/fault.ts";
import { answerClasses, type JournalSearch } from "../../../journal/search.ts";
import type { JobSearch } from "../../../outcomes/job-search.ts";

const actionsOf = (credit: (typeof creditOfAction)[keyof typeof creditOfAction]) =>
  actions.filter((action) => creditOfAction[action] === credit);

/** Actions that a filter names together, and each alone. */
export const actionGroups: Readonly<Record<string, JobSearch["action"]>> = {
  "all pictures": actionsOf("image"),
  "all videos": actionsOf("video"),
  "all copy": actionsOf(null),
  ...Object.fromEntries(actions.map((action) => [action, action])),
};

/** Values of the fault filter, each with what it means for a search. */
export const faultFilters: Readonly<Record<string, JournalSearch["fault"]>> = {
  "any fault": true,
  "no fault": false,
  ...Object.fromEntries(faultKinds.map((kind) => [kind, kind])),
};

const callNames: readonly string[] = Object.keys(endpoints);

const isCall = (name: string): name is keyof typeof endpoints => callNames.includes(name);

/** Reads what to show from the page's address. A value that makes no sense there chooses everything. */
const readChoice = (query: URLSearchParams) => {
  const text = (name: string): string | undefined => query.get(name) || undefined;
  const number = (name: string): number | undefined =>
    /^\d{1,15}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : undefined;
  const oneOf = <const Value extends string>(values: readonly Value[], name: string) =>
    values.find((one) => one === query.get(name));
  const call = query.get("j-call") ?? "";
  return {
    /** Key of the account to which all lists are narrowed. */
    account: text("account"),
    /** State of the jobs in one long list. Without it, each state has a lane of its own. */
    status: oneOf(jobStatuses, "status"),
    action: oneOf(Object.keys(actionGroups), "action"),
    text: text("text"),
    before: text("before"),
    /** Id of the job that is shown whole. */
    job: text("job"),
    /** Number of the ledger's entry with which its list begins; without it, the newest. */
    ledger: number("ledger"),
    /** Part of the keys in the list of accounts. */
    accounts: text("accounts"),
    call: isCall(call) ? call : undefined,
    fault: oneOf(Object.keys(faultFilters), "j-fault"),
    journalText: text("j-text"),
    answered: oneOf(answerClasses, "j-status"),
    /** Number of the request with which the list of the journal begins; it then stands still. */
    until: number("until"),
    /** Number of the request that is opened. */
    entry: number("entry"),
  };
};

/** Choice of the things to show, as the page's address has it. */
export type Choice = ReturnType<typeof readChoice>;

/** Changes of parameters; `undefined` leaves one out. */
type Changes = Readonly<Record<string, string | number | undefined>>;

/** Facts about the page that its links and commands need. */
export interface Place {
  readonly origin: string;
  readonly choice: Choice;
  /** Makes a link that keeps the rest of the choice. */
  readonly linkTo: (changes: Changes) => string;
}

/** Reads the place of the page from its address. */
export const readPlace = (url: string): Place => {
  const { origin, searchParams } = new URL(url);
  const linkTo = (changes: Changes): string => {
    const next = new URLSearchParams(searchParams);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) next.delete(name);
      else next.set(name, String(value));
    }
    return `/__mock/${next.size > 0 ? "?" : ""}${next}`;
  };
  return { origin, choice: readChoice(searchParams), linkTo };
};
