import { type Action, actions } from "../contract/actions.ts";
import { isFinished, isJobStatus, type Job } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { notify } from "../hooks.ts";
import { readJobRef } from "../resources/job-ref.ts";
import { createFailureWatch, notFoundToleranceMs } from "./failed-looks.ts";
import { waitAfter } from "./plan-look.ts";
import { type Look, startOf, type Wait } from "./wait.ts";
import { deadlineError } from "./wait-errors.ts";

/** Notes a job that was seen. */
const noteJob = (wait: Wait, job: Job, askedAt: number): void => {
  const { action } = readJobRef(job);
  if (wait.action === undefined && actions.includes(action as Action)) {
    wait.action = action as Action;
  }
  // A job that is found in the queue has hardly begun.
  if (wait.lastJob === undefined && job.status === "queued") wait.isBirthKnown = true;
  wait.lastJob = job;
  wait.failures = undefined;
  if (isFinished(job.status)) return;
  wait.unfinishedMs = askedAt - wait.bornAt;
};

/** Lets later waits learn from the duration of a finished job, well or badly finished. */
const learn = ({ isBirthKnown, action, durations, unfinishedMs, ...wait }: Wait, now: number) => {
  if (!isBirthKnown || action === undefined) return;
  const { finishedMs = 0 } = wait;
  const byMs = finishedMs > unfinishedMs ? finishedMs : now - wait.bornAt;
  const add = () => durations.add(action, { afterMs: unfinishedMs, byMs });
  notify("durations.add", add, undefined);
};

/** End of a wait: the finished job, or an error. */
export type WaitEnd = { readonly error?: AnyAdGenError };

/** Notes what a look has shown, and plans the next one. Gives the end of the wait, if it is one. */
export const noteLook = (wait: Wait, look: Look, now: number): WaitEnd | undefined => {
  const { job, failure, askedAt } = look;
  const elapsedMs = now - startOf(wait);
  wait.looks++;
  wait.lookedAt = now;
  wait.blindLooks = job !== undefined && isJobStatus(job.status) ? 0 : wait.blindLooks + 1;
  if (failure !== undefined) {
    wait.attempts += failure.attempts ?? 0;
    wait.failures ??= createFailureWatch();
    const wasSeen = wait.lastJob !== undefined;
    if (wait.failures.endsWait(failure, { wasSeen, elapsedMs })) return { error: failure };
  }
  if (job !== undefined) {
    wait.attempts++;
    noteJob(wait, job, askedAt);
    if (isFinished(job.status)) {
      learn(wait, now);
      return {};
    }
  }
  if (look.isLast) return { error: deadlineError(wait, failure) };
  const waitMs = waitAfter(wait, look, now, Math.max(0, now - wait.bornAt));
  // A last look when the time is over that a 404 is waited out.
  const mayAppear = failure?.code === "not_found" && elapsedMs < notFoundToleranceMs;
  const limitMs = mayAppear ? notFoundToleranceMs - elapsedMs : Number.POSITIVE_INFINITY;
  wait.nextAt = now + Math.ceil(Math.min(waitMs, limitMs));
  return undefined;
};
