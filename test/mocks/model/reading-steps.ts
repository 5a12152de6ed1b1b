import { expect } from "vitest";
import type { JobView, JournalFilter } from "../../../mocks/index.ts";
import type { JournalSearch } from "../../../mocks/journal/search.ts";
import type { JobSearch } from "../../../mocks/outcomes/job-search.ts";
import { type Bench, keyOf, ownerOf, same, spoil, type Whose } from "./bench.ts";
import { requireJob } from "./invariants.ts";
import { isGone, stateOf } from "./passing-time.ts";
import { clearExchanges, type ModelExchange, type World } from "./world.ts";

export const clearJournal = ({ service, world }: Bench, whose: Whose): void => {
  ownerOf(service, whose).journal.clear();
  clearExchanges(world, whose === "service" ? undefined : keyOf(whose));
};

const numbersOf = (entries: readonly { readonly number: number }[]): number[] =>
  entries.map(({ number }) => number);

const fits =
  ({ number, operation, account, job, method, path, status, fault, action, body }: JournalFilter) =>
  (exchange: ModelExchange): boolean => {
    const sent = exchange.body as Record<string, unknown> | undefined;
    return (
      (number === undefined || exchange.number === number) &&
      (operation === undefined || [operation].flat().some((one) => one === exchange.operation)) &&
      (account === undefined || exchange.key === account) &&
      (job === undefined || exchange.jobId === job) &&
      (method === undefined || exchange.method === method.toUpperCase()) &&
      (path === undefined || exchange.path === path) &&
      (status === undefined || exchange.status === status) &&
      (fault === undefined || (exchange.fault ?? false) === fault) &&
      (action === undefined || sent?.["action"] === action) &&
      Object.entries(body ?? {}).every(
        ([name, value]) => JSON.stringify(sent?.[name]) === JSON.stringify(value),
      )
    );
  };

/** Exchanges of a filter that may be among the forgotten: their key and their latest number are known. */
const countForgotten = (
  { forgotten }: World,
  own: string | undefined,
  { number = 0, account }: JournalFilter,
): number =>
  [...new Set(forgotten.map(({ key }) => key))]
    .filter((key) => key === (own ?? key) && key === (account ?? key))
    .map((key) => forgotten.filter((exchange) => exchange.key === key))
    .filter((exchanges) => number <= Math.max(...numbersOf(exchanges)))
    .reduce((sum, { length }) => sum + length, 0);

/**
 * Reads the journal of the service or of an account in each of its ways.
 *
 * @param isAboutJob - Reads of the latest job alone
 * @param wrongBy - Distance of an asserted count from the right one
 */
export const readJournal = (
  { service, world }: Bench,
  whose: Whose,
  choice: JournalFilter,
  isAboutJob: boolean,
  wrongBy: number,
): void => {
  const { journal } = ownerOf(service, whose);
  const own = whose === "service" ? undefined : keyOf(whose);
  const ours = world.journal.filter(({ key }) => key === (own ?? key));
  const latestJob = ours.findLast(({ jobId }) => jobId !== undefined)?.jobId ?? "job_nobody";
  const filter = { ...choice, ...(isAboutJob && { job: latestJob }) };
  const found = numbersOf(ours.filter(fits(filter)));
  const lost = countForgotten(world, own, filter);
  const entries = journal.find(filter);
  same(numbersOf(entries), found, "what fits");
  spoil(entries);
  const counts = [journal.count, journal.forgotten, journal.countForgotten(filter)];
  same(counts, [ours.length, countForgotten(world, own, {}), lost], "counts");
  const most = found.length + wrongBy + 1;
  const latest = most > 0 ? ours.slice(-most) : [];
  same(numbersOf(journal.latest(most)), numbersOf(latest), `the latest ${most}`);

  const count = Math.max(0, found.length + wrongBy);
  const assert = () => {
    if (count === 0) return journal.assertNone(filter) ?? [];
    return count === 1 ? [journal.assertOne(filter)] : journal.assertCount(count, filter);
  };
  if (found.length > count || (found.length < count && lost === 0)) {
    expect(assert).toThrow(`Expected ${count} `);
  } else if (lost > 0) {
    expect(assert).toThrow(`The journal has forgotten ${lost} earlier request`);
  } else same(numbersOf(assert()), found, "what was asserted");
};

/** Reads one page of the journal, newest first. */
export const searchJournal = (
  { service, world }: Bench,
  whose: Whose,
  { fault, until = Number.POSITIVE_INFINITY, answered, limit, ...filter }: JournalSearch,
): void => {
  const classOf = ({ status }: ModelExchange): string =>
    status === undefined ? "none" : `${Math.floor(status / 100)}xx`;
  const all = world.journal
    .filter(({ key }) => whose === "service" || key === keyOf(whose))
    .filter(fits(filter))
    .filter(({ fault: met }) =>
      fault === true ? met !== undefined : fault === undefined || (met ?? false) === fault,
    );
  const fitting = all.filter((one) => answered === undefined || classOf(one) === answered);
  const upTo = fitting.filter(({ number }) => number <= until);
  const page = upTo.slice(Math.max(0, upTo.length - limit));
  const classes = ["2xx", "4xx", "5xx", "other", "none"];
  const search = { until, limit, ...filter, ...(fault !== undefined && { fault }) };
  const { entries, ...seen } = ownerOf(service, whose).journal.search({
    ...search,
    ...(answered !== undefined && { answered }),
  });
  const expected = {
    total: fitting.length,
    counts: Object.fromEntries(
      classes.map((name) => [name, all.filter((one) => classOf(one) === name).length]),
    ),
    older: upTo.length - page.length,
  };
  same(seen, expected, "the counts of a page");
  same(numbersOf(entries), numbersOf(page).reverse(), "a page of the journal");
};

/**
 * Searches among the jobs of all tenants, or of one.
 *
 * @param after - Place of the last job of the page before
 */
export const searchJobs = (
  { rules, base, service, world }: Bench,
  search: Omit<JobSearch, "before">,
  after: number | undefined,
): void => {
  const { account, status, action, text = "", limit = 100, results = true } = search;
  const all = world.accounts
    .filter(({ key }) => key === (account ?? key))
    .flatMap(({ key, jobs, offset }) => {
      const now = base.now() + world.offset + offset;
      const present = jobs.filter((job) => !isGone(rules, job, now)).reverse();
      return present.map((job) => ({ key, job, now, state: stateOf(rules, job, now) }));
    })
    .sort((one, other) => other.job.submittedAt - one.job.submittedAt);
  const fitting = all.filter(({ job, state }) => {
    const texts = [job.id, job.action, job.request["prompt"], job.brand, state.error];
    const hasText = texts.some((one) => String(one).toLowerCase().includes(text.toLowerCase()));
    return hasText && (action === undefined || [action].flat().includes(job.action));
  });
  const counts = { queued: 0, processing: 0, completed: 0, failed: 0 };
  for (const { state } of fitting) counts[state.status] += 1;
  const wanted = [status ?? (Object.keys(counts) as (keyof typeof counts)[])].flat();
  const before = after === undefined ? undefined : all[after];
  const older = before === undefined ? all : all.slice(all.indexOf(before) + 1);
  const listed = wanted
    .flatMap((one) => older.filter(({ state }) => state.status === one))
    .filter((found) => fitting.includes(found))
    .sort((one, other) => all.indexOf(one) - all.indexOf(other))
    .slice(0, limit);

  const found = service.jobs.search({ ...search, ...(before && { before: before.job.id }) });
  const total = wanted.reduce((sum, one) => sum + counts[one], 0);
  same([found.total, found.counts], [total, counts], "the counts of a search");
  same(
    found.jobs.map(({ job_id, account }) => [job_id, account]),
    listed.map(({ job, key }) => [job.id, key]),
    "the jobs of a search",
  );
  for (const [place, { job, now }] of listed.entries()) {
    const { account: _, ...shown } = found.jobs[place] ?? {};
    if (results) requireJob(rules, job, now, shown as JobView);
    else expect(shown).not.toHaveProperty("result");
    spoil([service.jobs.find(job.id), service.jobs.inspect(job.id), found.jobs[place]]);
  }
};
