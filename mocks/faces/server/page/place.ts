import { actions, creditOfAction } from "../../../../src/contract/actions.ts";
import { endpoints } from "../../../../src/contract/endpoint.ts";
import { jobStatuses } from "../../../../src/contract/jobs.ts";
import { answerClasses } from "../../../journal/search.ts";
import { keysOf } from "../../../options/require.ts";
import type { JobSearch } from "../../../outcomes/job-search.ts";
import type { MockService } from "../../../service/mock-service.ts";

const actionsOf = (credit: (typeof creditOfAction)[keyof typeof creditOfAction]) =>
  actions.filter((action) => creditOfAction[action] === credit);

/** Actions that a choice names together, and each by itself. */
export const actionGroups: Readonly<Record<string, NonNullable<JobSearch["action"]>>> = {
  "all pictures": actionsOf("image"),
  "all videos": actionsOf("video"),
  "all copy": actionsOf(null),
  ...Object.fromEntries(actions.map((action) => [action, action])),
};

/** Leaves out the fields that are `undefined`. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

/** Reads what to show from the page's address. A value that makes no sense there chooses everything. */
export const readPlace = ({ accounts, jobs }: MockService, url: string) => {
  const { origin, searchParams: query } = new URL(url);
  const draft = query.get("draft");
  // It comes with each poll, and belongs to no address.
  query.delete("draft");
  const text = (name: string): string | undefined => query.get(name) || undefined;
  const number = (name: string): number | undefined =>
    /^\d{1,15}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : undefined;
  const oneOf = <const Value extends string>(values: readonly Value[], name: string) =>
    values.find((one) => one === query.get(name));
  const account = accounts.find(({ key }) => key === query.get("account"))?.key;
  const isThere = jobs.inspect(query.get("before") ?? "") !== undefined;
  return {
    origin,
    /** Key of the account to which everything is narrowed. */
    account,
    /** Fields of the form for a new job, as the script sends them. */
    draft: draft === null ? undefined : new URLSearchParams(draft),
    /** Id of the job that is shown whole. */
    job: text("job"),
    /** Number of the request that is shown whole. */
    entry: number("entry"),
    /** Number of the ledger's entry with which its list begins; without it, the newest. */
    ledger: number("ledger"),
    jobs: given({
      account,
      status: oneOf(jobStatuses, "status"),
      action: actionGroups[text("action") ?? ""],
      text: text("text"),
      before: isThere ? text("before") : undefined,
    }),
    requests: given({
      account,
      operation: oneOf(keysOf(endpoints), "j-call"),
      fault: text("j-fault") ? true : undefined,
      text: text("j-text"),
      answered: oneOf(answerClasses, "j-status"),
      until: number("until"),
    }),
    /** Text of a filter's field. */
    fieldOf: (name: string): string => query.get(name) ?? "",
    /** Address of a section that keeps the rest of the choice; `undefined` leaves a parameter out. */
    linkTo: (
      section: string,
      changes: Readonly<Record<string, string | number | undefined>>,
    ): string => {
      const next = new URLSearchParams(query);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) next.delete(name);
        else next.set(name, String(value));
      }
      return `/__mock/${next.size > 0 ? "?" : ""}${next}#${section}`;
    },
  };
};

/** What the page shows, and the way to other places of it. */
export type Place = ReturnType<typeof readPlace>;
