import { isFinished, type Job } from "../../contract/jobs.ts";
import type { Page } from "../../contract/page.ts";
import { type AnyAdGenError, isAdGenError } from "../../errors/errors.ts";
import type { CallOptions } from "../../options/call-options.ts";
import type { JobReader } from "../../resources/job-ref.ts";
import { lastLookMsOf } from "../plan-look.ts";
import type { ListLook, Look, Wait } from "../wait.ts";
import { ownError } from "../wait-errors.ts";
import type { Clock } from "./clock.ts";
import { createListLimit } from "./list-limit.ts";
import { createListProbes } from "./list-probes.ts";

/** The parts of a scheduler that looks at the list need. */
export interface ListHost {
  readonly reader: JobReader;
  readonly clock: Clock;
  readonly waits: ReadonlySet<Wait>;
  /** Notes what the list showed for a wait. */
  readonly settleLook: (wait: Wait, look: Look) => void;
  /** Has a wait look at its job itself. */
  readonly lookSingly: (wait: Wait) => void;
  /** The list has answered, and asks for the next look at it after this time. */
  readonly noteAnswer: (retryAfterMs: number | undefined) => void;
}

/** A reader that may also list jobs, as `client.jobs` does. */
interface JobLister extends JobReader {
  list?(query: { limit?: number }, options: CallOptions): Promise<Page<Job>>;
}

/** A list that has failed alone is not asked again for this time. */
const restMs = 60_000;

const longestPatienceMs = 10_000;

/** Failures that say something about the list alone, and nothing about the jobs. */
const ownFailures: readonly string[] = ["decode", "not_found", "bad_request", "invalid_request"];

/** Looks at the list of jobs in place of many single looks, where the service's list is of use. */
export const createListLooks = (host: ListHost) => {
  const { clock, settleLook, lookSingly } = host;
  const reader: JobLister = host.reader;
  let restsUntil = Number.NEGATIVE_INFINITY;
  /** Answers since the last rest. The 1st, the 4th, the 16th … are compared with a single look. */
  let answers = 0;
  const limits = createListLimit();

  const lookEachSingly = (list: ListLook): void => {
    for (const wait of [...list.waits]) lookSingly(wait);
  };

  /** Leaves the list alone for a while. */
  const giveUp = (list: ListLook): void => {
    restsUntil = clock.now() + restMs;
    answers = 0;
    lookEachSingly(list);
  };

  const failAll = (list: ListLook, failure: AnyAdGenError): void => {
    const { startedAt: askedAt, isLast } = list;
    const { retryAfterMs } = failure;
    for (const wait of [...list.waits]) {
      settleLook(wait, { failure: ownError(failure, wait.id), retryAfterMs, askedAt, isLast });
    }
  };

  const { probeFailure, probeStatus } = createListProbes({ lookSingly, failAll, giveUp });

  const ask = async (list: ListLook): Promise<void> => {
    const limit = limits.limitFor(host.waits.size);
    let retryAfterMs: number | undefined;
    try {
      const { items } = await (reader as Required<JobLister>).list(
        limit === undefined ? {} : { limit },
        {
          signal: list.controller.signal,
          totalTimeoutMs: Math.max(1, list.endsAt - clock.now()),
          maxRetries: 0,
          onResponse: (response) => {
            retryAfterMs = response.retryAfterMs;
          },
        },
      );
      host.noteAnswer(retryAfterMs);
      const jobs = new Map<unknown, Job>(items.map((job) => [job.job_id, job]));
      const wasCut = limits.wasCut(limit, items.length);
      const showAll = () => show(list, jobs, wasCut, retryAfterMs);
      answers++;
      if (Number.isInteger(Math.log2(answers) / 2)) probeStatus(list, jobs, showAll);
      else showAll();
    } catch (error) {
      if (list.waits.size > 0) fail(list, error, limit);
    }
  };

  const show = (
    list: ListLook,
    jobs: ReadonlyMap<unknown, Job>,
    wasCut: boolean,
    retryAfterMs: number | undefined,
  ): void => {
    const { startedAt: askedAt } = list;
    for (const wait of host.waits) {
      const isOwn = wait.list === list;
      const job = jobs.get(wait.id);
      if (job === undefined || (!isOwn && (wait.place !== "resting" || wait.lookedAt > askedAt))) {
        continue;
      }
      if (!isFinished(job.status)) {
        wait.isUnlisted = false;
        settleLook(wait, { job, retryAfterMs, askedAt, isLast: isOwn && list.isLast });
      } else if (isOwn || wait.finishedMs === undefined) {
        // The result in a list is not checked. Where the job's own look sees it otherwise, that is
        // believed, and the list is not from then on.
        wait.finishedMs ??= clock.now() - wait.bornAt;
        wait.isUnlisted = true;
        lookSingly(wait);
      }
    }
    if (list.waits.size === 0) return;
    // Those that are left are not in the list.
    if (wasCut && limits.mayGrow()) {
      void ask(list);
    } else {
      for (const wait of list.waits) wait.isUnlisted = true;
      lookEachSingly(list);
    }
  };

  const fail = (list: ListLook, error: unknown, limit: number | undefined): void => {
    if (!isAdGenError(error)) {
      giveUp(list);
      return;
    }
    const { code } = error;
    if (limits.mayShrink(limit, error)) {
      void ask(list);
    } else if (ownFailures.includes(code)) {
      giveUp(list);
    } else if (code === "rate_limited" || (list.isLast && clock.now() >= list.endsAt)) {
      failAll(list, error);
    } else {
      probeFailure(list, error);
    }
  };

  return {
    isOn: (): boolean => typeof reader.list === "function" && clock.now() >= restsUntil,

    /** Begins anew with small lists, because nothing waits any more. */
    reset: limits.reset,

    /** Looks for these waits. */
    begin: (waits: readonly Wait[], isLast: boolean): void => {
      const startedAt = clock.now();
      const patienceMs = Math.min(longestPatienceMs, 1_000 + 10 * waits.length);
      const lastLookMs = waits.reduce(
        (least, { config }) => Math.min(least, lastLookMsOf(config)),
        longestPatienceMs,
      );
      const list: ListLook = {
        waits: new Set(waits),
        controller: new AbortController(),
        isLast,
        startedAt,
        endsAt: startedAt + (isLast ? lastLookMs : patienceMs),
      };
      for (const wait of waits) Object.assign(wait, { place: "list", askedAt: startedAt, list });
      void ask(list);
    },

    /** Takes a wait out of its list, and ends the look that nobody needs any more. */
    leave: (wait: Wait): void => {
      const { list } = wait;
      if (list === undefined) return;
      wait.list = undefined;
      list.waits.delete(wait);
      if (list.waits.size === 0) list.controller.abort();
      else if (list.probe === wait) list.endProbe?.();
    },
  };
};
