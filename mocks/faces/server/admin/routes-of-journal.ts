import * as z from "zod/mini";
import type { JournalEntry } from "../../../journal/entry.ts";
import { type JournalFilter, journalFilterSchema } from "../../../journal/filter.ts";
import { apiKey, count, fieldsOnly, optional, text, wholeNumber } from "../../../options/fields.ts";
import type { MockService } from "../../../service/mock-service.ts";
import {
  type Call,
  defineRoute,
  found,
  fromText,
  type Input,
  ofOneAccount,
  requireAccount,
} from "./route.ts";

/** Count of the things in a list without a limit; the summaries in `places` say it. */
const listedUsually = 100;

const isPattern = (source: string): boolean => {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
};

/** JSON has no patterns: `pathPattern` holds the source of one. */
const filterFields = {
  ...journalFilterSchema.shape,
  path: optional(text, "The whole path with its query"),
  pathPattern: optional(
    text.check(z.refine(isPattern, { error: "a regular expression" })),
    "A regular expression that the path contains",
  ),
};

/** Choice of journal entries in a JSON body. */
const journalFilter = fieldsOnly(filterFields);

/** Choice of journal entries in a query, where every value is text. */
const journalQuery = fieldsOnly({
  ...z.omit(journalFilter, { body: true, number: true }).shape,
  status: optional(fromText(filterFields.status), "The status that was answered"),
  fault: optional(fromText(filterFields.fault), "The kind of the fault that was played, or false"),
  limit: optional(fromText(wholeNumber(0, 10_000)), "Number of the latest; 100 by default"),
});

/** Fields of a body that asks for requests. */
const requestChoice = {
  filter: optional(journalFilter, "Which requests; all by default"),
  account: optional(apiKey, "Asks the journal of this account alone"),
};

type JsonFilter = Input<{ body: typeof journalFilter }>["body"];

/** Makes the service's filter of the JSON one. */
const readFilter = (
  service: MockService,
  { pathPattern, path, ...filter }: JsonFilter,
): JournalFilter => {
  if (filter.account !== undefined) requireAccount(service, filter.account);
  if (pathPattern === undefined) return path === undefined ? filter : { ...filter, path };
  return { ...filter, path: new RegExp(pathPattern) };
};

/** Shows an entry as JSON, in which the time that an answer took is a field like any other. */
const showEntry = (entry: JournalEntry) => ({ ...entry, tookMs: entry.tookMs });

/** Gives the latest requests that fit, and counts those that fit and those that may. */
const findEntries = (
  { service, scope: { journal } }: Pick<Call, "service" | "scope">,
  filter: JsonFilter = {},
  limit = listedUsually,
) => {
  const which = readFilter(service, filter);
  const fitting = journal.find(which);
  const entries = limit === 0 ? [] : fitting.slice(-limit).map(showEntry);
  return { total: fitting.length, forgotten: journal.countForgotten(which), entries };
};

export const journalRoutes = {
  listRequests: defineRoute({ query: journalQuery }, ({ query: { limit, ...filter }, ...call }) =>
    findEntries(call, filter, limit),
  ),
  findRequests: defineRoute(
    {
      body: fieldsOnly({
        ...requestChoice,
        limit: optional(count, "Number of the entries, the latest; 100 by default"),
      }),
    },
    ({ body: { limit, filter }, ...call }) => findEntries(call, filter, limit),
  ),
  showRequest: defineRoute(
    { path: z.object({ number: fromText(count) }) },
    ({ service, path: { number } }) => {
      const [entry] = service.journal.find({ number });
      return showEntry(found(entry, `No journal entry has the number ${number}`));
    },
  ),
  assertRequests: defineRoute(
    { body: fieldsOnly({ count, ...requestChoice }) },
    ({ service, scope, body: { count: expected, filter = {} } }) => {
      const entries = scope.journal.assertCount(expected, readFilter(service, filter));
      return { count: expected, entries: entries.map(showEntry) };
    },
  ),
  clearJournal: defineRoute({ query: ofOneAccount }, ({ service, scope }) => {
    scope.journal.clear();
    return { total: service.journal.count };
  }),
};
