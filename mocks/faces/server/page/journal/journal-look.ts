import { createHash } from "node:crypto";
import { endpoints } from "../../../../../src/contract/endpoint.ts";
import { faultKinds } from "../../../../faults/fault.ts";
import type { JournalEntry } from "../../../../journal/entry.ts";
import { maskKey } from "../../../../journal/mask-key.ts";
import { answerClasses, type JournalSearch } from "../../../../journal/search.ts";
import type { MockService } from "../../../../service/mock-service.ts";

/** Requests on one page of the journal. */
const pageSize = 25;

const longestPath = 300;
const longestReason = 300;

/** Values of the fault filter that are no kind of a fault. */
export const anyFault = "any fault";
export const noFault = "no fault";

/** Part of the journal that a page shows, as its address and its script ask for it. */
export interface JournalChoice extends Omit<JournalSearch, "limit"> {
  /** Names or numbers of the entries that are opened. */
  readonly open: readonly string[];
}

const oneOf = <const Value extends string>(
  values: readonly Value[],
  value: string | null,
): Value | undefined => values.find((one) => one === value);

const readFault = (value: string | null): JournalSearch["fault"] => {
  if (value === anyFault) return true;
  return value === noFault ? false : oneOf(faultKinds, value);
};

/** Reads the choice from a query. What makes no sense there chooses everything. */
export const readJournalChoice = (query: URLSearchParams): JournalChoice => {
  const account = query.get("account");
  const operation = oneOf(
    Object.keys(endpoints) as (keyof typeof endpoints)[],
    query.get("j-call"),
  );
  const fault = readFault(query.get("j-fault"));
  const text = query.get("j-text");
  const answered = oneOf(answerClasses, query.get("j-status"));
  const until = query.get("until");
  return {
    ...(account && { account }),
    ...(operation !== undefined && { operation }),
    ...(fault !== undefined && { fault }),
    ...(text && { text }),
    ...(answered !== undefined && { answered }),
    ...(until && /^\d+$/.test(until) && { until: Number(until) }),
    open: [query.get("open"), query.get("entry")]
      .flatMap((names) => names?.split(",") ?? [])
      .filter((name) => name !== ""),
  };
};

/**
 * Names an entry. The number is not enough: after a reset the entries count from 1 again. Texts that
 * the journal may cut later are no part of the name.
 */
export const nameOf = ({ number, at, method, operation, jobId }: JournalEntry): string => {
  const hash = createHash("sha1").update(JSON.stringify([number, at, method, operation, jobId]));
  return `${number}-${hash.digest("base64url").slice(0, 8)}`;
};

/** Gives the error in the envelope of a refusal. */
const reasonOf = ({ answer }: JournalEntry): string | undefined => {
  if (answer === undefined || answer.status < 400) return undefined;
  const { error }: { error?: unknown } = Object(answer.body);
  return typeof error === "string" ? error.slice(0, longestReason) : undefined;
};

/** Shows an entry without its bodies, which may be large. */
export const showEntry = (entry: JournalEntry, keys: ReadonlyMap<string, string>) => ({
  number: entry.number,
  at: entry.at,
  method: entry.method,
  path: entry.path.slice(0, longestPath),
  operation: entry.operation,
  action: entry.action,
  // The page shows whole keys anyway, and a masked key tells a reader little.
  account: keys.get(entry.account ?? "") ?? entry.account,
  status: entry.answer?.status,
  reason: reasonOf(entry),
  requestId: entry.requestId,
  accepted: entry.accepted,
  fault: entry.fault?.kind,
  jobId: entry.jobId,
  tookMs: entry.tookMs,
});

/** Finds the keys of the service's accounts by the masked ones that the journal has. */
export const keysByMask = ({ accounts }: MockService): ReadonlyMap<string, string> =>
  new Map(accounts.map(({ key }) => [maskKey(key), key]));

const findOpened = ({ journal }: MockService, open: readonly string[]): readonly JournalEntry[] =>
  open.flatMap((name) =>
    journal
      .find({ number: Number.parseInt(name, 10) || 0 })
      .filter((entry) => name === nameOf(entry) || name === String(entry.number)),
  );

/** Reads the part of the journal that is chosen, and every entry that is opened. */
export const lookAtJournal = (service: MockService, choice: JournalChoice) => {
  const { open, ...search } = choice;
  const { journal } = service;
  const keys = keysByMask(service);
  const { entries, ...page } = journal.search({ ...search, limit: pageSize });
  const opened = findOpened(service, open);
  const names = new Set(opened.map(nameOf));
  const isHeld = choice.until !== undefined;
  const listed = isHeld ? entries : entries.filter((entry) => !names.has(nameOf(entry)));
  const listedNames = new Set(listed.map(nameOf));
  const show = (entry: JournalEntry) => ({
    ...showEntry(entry, keys),
    name: nameOf(entry),
    whole: names.has(nameOf(entry)) ? entry : undefined,
  });
  const [newest] = journal.latest(1);
  return {
    ...page,
    choice,
    all: journal.count,
    isKnown: choice.account === undefined || [...keys.values()].includes(choice.account),
    forgotten: journal.forgotten,
    /** Numbers of entries that the address names and the journal does not have. */
    missing: open.filter(
      (name) => /^\d+$/.test(name) && !opened.some(({ number }) => name === String(number)),
    ),
    newest: newest?.number ?? 0,
    listed: listed.map(show),
    /** Opened entries that are not in the list: while the list moves on, all of them. */
    pinned: opened.filter((entry) => !listedNames.has(nameOf(entry))).map(show),
  };
};

/** The journal as the page shows it. */
export type JournalLook = ReturnType<typeof lookAtJournal>;

/** One request in it. */
export type ShownEntry = JournalLook["listed"][number];
