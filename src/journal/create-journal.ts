import { isFinished } from "../contract/jobs.ts";
import { isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { describeValue } from "../errors/text.ts";
import {
  abortSignal,
  checkOptions,
  number,
  refuseArgument,
  wholeNumber,
} from "../options/rules.ts";
import { parseUrl } from "../parse-url.ts";
import { createDecisions, jobIdOf } from "./decisions.ts";
import { createJobIndex } from "./job-index.ts";
import type { JournalStore } from "./journal-store.ts";
import { createRecordKeeper, describeFailure, waitAtMost } from "./record-keeper.ts";
import { jobOf, type ReadRecords, stateOf } from "./records.ts";
import { recoverFrom } from "./recover.ts";
import { digestOf, excerptOf } from "./request-excerpt.ts";
import { isNewlyOverdue, tidyStore } from "./retention.ts";
import type { SubmissionJournal, TrackedSubmission } from "./submission-journal.ts";

/** Longest time that a failed submission waits for the record of its failure. */
const failureWaitMs = 50;

const recoverRules = () => ({
  signal: abortSignal(),
  limit: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  minAgeMs: number(0, Number.MAX_SAFE_INTEGER, "a number of milliseconds"),
  settleMs: number(0, Number.MAX_SAFE_INTEGER, "a number of milliseconds"),
});

/** Longest time of an attempt by default, and a quarter of a minute for the service's list. */
const defaultSettleMs = 75_000;

/** Makes an id that sorts by its time. `crypto.randomUUID` is missing in pages without https. */
const createId = (): string => {
  const numbers = crypto.getRandomValues(new Uint32Array(2));
  const random = Array.from(numbers, (number) => number.toString(16).padStart(8, "0"));
  return `${Date.now().toString(36)}-${random.join("")}`;
};

/**
 * Makes a journal that keeps its records in a store of yours.
 *
 * @throws `ConfigError` for a store without `append` or `read`.
 * @example
 * const client = createClient({ journal: createJournal(store) });
 * const { waiting, unknown } = await client.jobs.recover();
 */
export const createJournal = (store: JournalStore): SubmissionJournal => {
  const { append, keep, read } = createRecordKeeper(store);
  /** Submissions of this process that have no end yet. */
  const underWay = new Set<string>();
  /** When this process first knew of each unknown submission, by a clock that is never set. */
  let doubtedSince = new Map<string, number>();
  const index = createJobIndex();
  let hasLoaded = false;
  let loading: Promise<void> | undefined;

  const isUnderWay = (id: string): boolean => underWay.has(id);
  const doubtedForMs = (id: string): number =>
    performance.now() - (doubtedSince.get(id) ?? performance.now());

  const noteDoubts = ({ submissions }: ReadRecords): void => {
    const now = performance.now();
    const unknown = [...submissions.values()]
      .filter((submission) => stateOf(submission) === "unknown" && !isUnderWay(submission.id))
      .map(({ id }) => id);
    doubtedSince = new Map(unknown.map((id) => [id, doubtedSince.get(id) ?? now]));
  };

  /** Takes the jobs of earlier processes from the store. */
  const takeOver = (records: ReadRecords): void => {
    index.addAll(records);
    hasLoaded = true;
    noteDoubts(records);
    for (const submission of records.submissions.values()) {
      if (!isNewlyOverdue(submission, Date.now())) continue;
      const overdue = { event: "finished", jobId: jobOf(submission), isOverdue: true } as const;
      void keep(submission.id, overdue, { isDurable: false });
    }
    void tidyStore(store, records);
  };

  const load = (): Promise<void> => read(undefined, async (reread) => takeOver(reread()));

  /** Reads the store for a poll of a job that this process did not submit. */
  const loadForPoll = async (): Promise<void> => {
    try {
      await load();
    } catch (error) {
      loading = undefined; // the next poll tries again
      console.error("adgen-sdk: the journal does not know its jobs of earlier", error);
    }
  };

  const noteFinished = (jobId: string): boolean => {
    const id = index.finish(jobId);
    if (id !== undefined) void keep(id, { event: "finished", jobId }, { isDurable: false });
    return id !== undefined;
  };

  const decisions = createDecisions({ append, read }, isUnderWay);

  return {
    load,

    track({ body, json, url }): TrackedSubmission {
      const id = createId();
      let hasBegun = false;
      return {
        async begin() {
          hasBegun = true;
          underWay.add(id);
          const request = excerptOf(body);
          const { action } = request;
          const origin = parseUrl(url ?? "")?.origin;
          try {
            const digest = await digestOf(json);
            await append(id, { event: "intent", action, request, digest, origin });
          } catch (cause) {
            const message =
              "the job was not submitted, because the journal cannot be written: " +
              `${describeFailure(cause)}; repair the store of the journal, then submit again`;
            throw makeError("journal", message, { outcome: "not-sent", cause });
          }
        },
        async accepted(jobId, leftMs, signal) {
          const kept = keep(id, { event: "accepted", jobId });
          index.add(jobId, id);
          underWay.delete(id);
          decisions.note(id, "waiting", jobId);
          await waitAtMost(leftMs, signal, kept);
        },
        async failed(error) {
          if (!hasBegun) return;
          const { code, outcome = "unknown", jobId } = isAdGenError(error) ? error : {};
          const failed = { event: "failed", outcome, code, jobId } as const;
          // The caller has the error of a journal that cannot be written.
          const kept = keep(id, failed, { isDurable: false, isQuiet: code === "journal" });
          underWay.delete(id);
          if (outcome === "unknown") doubtedSince.set(id, performance.now());
          decisions.note(id, outcome === "unknown" ? "unknown" : "closed");
          await waitAtMost(failureWaitMs, undefined, kept);
        },
      };
    },

    notePoll({ job_id: jobId, status }) {
      if (!isFinished(status) || noteFinished(jobId)) return;
      if (hasLoaded) return;
      loading ??= loadForPoll();
      void loading.then(() => noteFinished(jobId));
    },

    async recover(options, jobs) {
      const rules = recoverRules();
      const config = checkOptions("jobs.recover", rules, options ?? {}, refuseArgument, {
        minAgeMs: 0,
        settleMs: defaultSettleMs,
      });
      return read(config.signal, async (reread) => {
        takeOver(reread());
        return recoverFrom(reread, { isUnderWay, doubtedForMs }, jobs, config);
      });
    },

    async adopt(id, job) {
      const jobId = jobIdOf(job);
      await decisions.adopt(id, jobId);
      index.add(jobId, id);
    },

    dismiss: decisions.dismiss,

    async acknowledge(job) {
      const jobId = jobIdOf(job);
      if (index.find(jobId) === undefined) {
        await read(undefined, async (reread) => index.addAll(reread()));
      }
      const id = index.find(jobId);
      if (id === undefined) {
        return refuseArgument(
          `the job ${describeValue(jobId)} is none of an open submission in this journal: ` +
            "acknowledge a job of recovered.waiting or recovered.finished, once",
        );
      }
      await decisions.write(id, { event: "acknowledged", jobId });
      index.remove(jobId);
    },
  };
};
