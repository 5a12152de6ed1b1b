import { type ConnectionOptions, QueueEvents } from "bullmq";
import type { FinishedJob } from "../contract/jobs.ts";
import { isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { describeValue } from "../errors/text.ts";
import { refuseArgument } from "../options/rules.ts";
import { sleep } from "../sleep.ts";
import { reviveError } from "./error-record.ts";
import type { FleetNames } from "./fleet-names.ts";
import { encodeId } from "./job-id.ts";
import type { Submission } from "./read-submission.ts";

/**
 * Events are a hint. What they may miss, at their start and in a restart of Redis, is read: soon
 * at first, then more and more seldom.
 */
const firstReadMs = 100;
const longestReadMs = 5_000;

/** Options of a wait for a result. */
export interface WaitForResultOptions {
  /** Ends the wait with an `AbortedError`. The submission goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** Tells who waits that something has happened to a submission. */
const createHints = (names: FleetNames, connection: ConnectionOptions) => {
  const waiting = new Map<string, Set<() => void>>();
  let opened: QueueEvents[] | undefined;
  const wake = ({ jobId }: { readonly jobId: string }): void => {
    for (const look of waiting.get(jobId) ?? []) look();
  };
  const open = (): QueueEvents[] =>
    [names.submissions, names.looks].map((name) => {
      const events = new QueueEvents(name, { connection, prefix: names.prefix });
      // Without a listener, each failed connection would be printed. The reads tell of it.
      events.on("error", () => {});
      return events.on("completed", wake).on("failed", wake);
    });

  return {
    /** Waits for a hint about a job, `ms` at most. */
    next: async (jobId: string, ms: number, signal: AbortSignal | undefined): Promise<void> => {
      opened ??= open();
      const hint = new AbortController();
      const stop = () => hint.abort();
      const own = waiting.get(jobId) ?? new Set();
      waiting.set(jobId, own.add(stop));
      signal?.addEventListener("abort", stop);
      await sleep(signal?.aborted ? 0 : ms, hint.signal);
      signal?.removeEventListener("abort", stop);
      own.delete(stop);
      if (own.size === 0) waiting.delete(jobId);
    },
    close: async (): Promise<void> => {
      await Promise.all((opened ?? []).map((events) => events.close()));
    },
  };
};

/** Makes the wait for results. */
export const createResultWaits = (
  names: FleetNames,
  connection: ConnectionOptions,
  read: (id: string) => Promise<Submission | undefined>,
) => {
  const hints = createHints(names, connection);
  let isClosed = false;

  /** Reads a submission; `undefined` while Redis is away. */
  const readPatiently = async (id: string): Promise<Submission | undefined> => {
    try {
      return (
        (await read(id)) ??
        refuseArgument(`there is no submission ${describeValue(id)}: add it first`)
      );
    } catch (error) {
      const isAway = isAdGenError(error) && ["timeout", "connection"].includes(error.code);
      if (!isAway || isClosed) throw error;
      return undefined;
    }
  };

  const settled = ({ id, state, job, error }: Submission): FinishedJob | undefined => {
    if (job !== undefined) return job;
    if (state === "dropped") {
      throw makeError("aborted", `submission ${describeValue(id)} was dropped by decision`);
    }
    if (error !== undefined && (state === "refused" || state === "given-up")) {
      throw reviveError(error);
    }
    return undefined;
  };

  return {
    wait: async (id: string, { signal }: WaitForResultOptions = {}): Promise<FinishedJob> => {
      for (let readMs = firstReadMs; ; readMs = Math.min(2 * readMs, longestReadMs)) {
        if (signal?.aborted) {
          const message = `the wait for submission ${describeValue(id)} was aborted`;
          throw makeError("aborted", message, { cause: signal.reason });
        }
        const submission = await readPatiently(id);
        const job = submission && settled(submission);
        if (job !== undefined) return job;
        await hints.next(encodeId(id), readMs, signal);
      }
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await hints.close();
    },
  };
};
