import type { JournalEntry } from "../../../../journal/entry.ts";
import { maskKey } from "../../../../journal/redact.ts";
import type { MockService } from "../../../../service/mock-service.ts";
import { type Choice, faultFilters } from "../choice.ts";

/** Requests on one page of the journal. */
const pageSize = 25;

const longestPath = 300;
const longestReason = 300;

/** Gives the error in the envelope of a refusal. */
const reasonOf = ({ answer, hint }: JournalEntry): string | undefined => {
  if (answer === undefined || answer.status < 400) return undefined;
  const { error }: { error?: unknown } = Object(answer.body);
  if (typeof error !== "string") return undefined;
  return `${error}${hint === undefined ? "" : `: ${hint}`}`.slice(0, longestReason);
};

/** Shows an entry without its bodies, which may be large. */
export const showEntry = (entry: JournalEntry, keys: ReadonlyMap<string, string>) => {
  const { body, answer, unknownParameters, fault, path, account, tookMs, hint, ...rest } = entry;
  return {
    ...rest,
    path: path.slice(0, longestPath),
    // The page shows whole keys anyway, and a masked key tells a reader little.
    account: keys.get(account ?? "") ?? account,
    status: answer?.status,
    reason: reasonOf(entry),
    fault: fault?.kind,
    tookMs,
  };
};

/** Finds the keys of the service's accounts by the masked ones that the journal has. */
export const keysByMask = ({ accounts }: MockService): ReadonlyMap<string, string> =>
  new Map(accounts.map(({ key }) => [maskKey(key), key]));

/** Reads the part of the journal that is chosen, and the request that is opened. */
export const lookAtJournal = (service: MockService, choice: Choice) => {
  const { account, call, journalText, answered, entry } = choice;
  const { journal } = service;
  const keys = keysByMask(service);
  const fault = choice.fault === undefined ? undefined : faultFilters[choice.fault];
  // Without a page of its own, an opened request begins the list.
  const until = choice.until ?? entry;
  const search = {
    ...(account !== undefined && { account }),
    ...(call !== undefined && { operation: call }),
    ...(fault !== undefined && { fault }),
    ...(journalText !== undefined && { text: journalText }),
    ...(answered !== undefined && { answered }),
    limit: pageSize,
  };
  const asked = journal.search({ ...search, ...(until !== undefined && { until }) });
  // The requests up to that number may be gone; the list then begins with the newest.
  const { entries, ...page } = asked.entries.length > 0 ? asked : journal.search(search);
  const opened = entry === undefined ? undefined : journal.find({ number: entry })[0];
  const isListed = entries.some(({ number }) => number === opened?.number);
  return {
    ...page,
    all: journal.count,
    forgotten: journal.forgotten,
    opened,
    /** Requests of this page; one that is opened comes first when it is not among them. */
    listed: [...(opened === undefined || isListed ? [] : [opened]), ...entries].map((one) =>
      showEntry(one, keys),
    ),
    newest: journal.latest(1)[0]?.number ?? 0,
  };
};

/** The journal as the page shows it. */
export type JournalLook = ReturnType<typeof lookAtJournal>;

/** One request in it. */
export type ShownEntry = JournalLook["listed"][number];
