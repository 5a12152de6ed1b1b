import {
  type Credit,
  type ModelAccount,
  type ModelJob,
  post,
  type Rules,
  setPots,
} from "./world.ts";

const day = 86_400_000;
export const expiryMs = 30 * 60_000;

/** The same day and time so many months later, or the last day of a month that is too short. */
export const monthsAfter = (start: number, months: number): number => {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (start % day);
};

/** Times of a job by the clock; `undefined` when polls move it on. A tenth of a planned time is in the queue. */
export const timesOf = (rules: Rules, { end, action, submittedAt }: ModelJob) => {
  if (end.takesMs !== undefined) {
    // Two expiries are as long as for ever.
    const takesMs = Math.min(end.takesMs, 2 * expiryMs);
    return { startsAt: submittedAt + takesMs / 10, finishesAt: submittedAt + takesMs };
  }
  const { timeline } = rules;
  if (timeline === "per-poll" || (rules.copyPerPoll && action === "generate-ad-copy")) {
    return undefined;
  }
  const startsAt = submittedAt + timeline.queuedMs;
  return { startsAt, finishesAt: startsAt + timeline.processingMs };
};

export interface ModelState {
  status: "queued" | "processing" | "completed" | "failed";
  error?: string;
  hasExpired?: true;
  /** When it changes next; the next poll may change it where it is left out. */
  until?: number;
}

const expired: ModelState = { status: "failed", error: "Job expired", hasExpired: true };

export const stateOf = (rules: Rules, job: ModelJob, now: number): ModelState => {
  const { forced, end, submittedAt, polls } = job;
  if (forced?.status === "expired") return expired;
  if (forced?.status === "failed") return { status: "failed", error: forced.error };
  if (forced?.status === "completed") return { status: "completed" };
  const ended: ModelState =
    end.fail === undefined ? { status: "completed" } : { status: "failed", error: end.fail };
  const expiresAt = submittedAt + expiryMs;
  const times = timesOf(rules, job);
  if (times === undefined && polls.length >= 2) return ended;
  if (times && times.finishesAt <= Math.min(now, expiresAt)) return ended;
  if (now >= expiresAt) return expired;
  if (times === undefined) return { status: polls.length === 0 ? "queued" : "processing" };
  const { startsAt, finishesAt } = times;
  return now < startsAt
    ? { status: "queued", until: Math.min(startsAt, expiresAt) }
    : { status: "processing", until: Math.min(finishesAt, expiresAt) };
};

/** Tells if a job can no longer be found. */
export const isGone = (rules: Rules, job: ModelJob, now: number): boolean =>
  (rules.expiry !== "failed" && stateOf(rules, job, now).hasExpired === true) ||
  (rules.expiry === "all-not-found" && now >= job.submittedAt + expiryMs);

export const isFinished = ({ status }: ModelState): boolean =>
  status === "completed" || status === "failed";

/** All that is known about the past of a job. */
export const historyOf = (rules: Rules, job: ModelJob, now: number) => {
  const state = stateOf(rules, job, now);
  const times = timesOf(rules, job);
  const { forced, plannedBy, submittedAt, polls } = job;
  const endsAt =
    forced?.at ??
    (state.hasExpired ? submittedAt + expiryMs : times ? times.finishesAt : polls.at(-1));
  const finishedAt = isFinished(state) ? endsAt : undefined;
  const startsAt = times ? times.startsAt : (polls[0] ?? Number.POSITIVE_INFINITY);
  const startedAt = startsAt <= (finishedAt ?? now) ? startsAt : undefined;
  const ended = forced ? "order" : state.hasExpired ? "expiry" : (plannedBy ?? "timeline");
  return { startedAt, finishedAt, endedBy: isFinished(state) ? ended : undefined };
};

/** Once, and only what was paid. */
export const payBack = (rules: Rules, account: ModelAccount, job: ModelJob, at: number): void => {
  if (!rules.refundFailedJobs || job.charge === undefined || job.isRefunded) return;
  job.isRefunded = true;
  const { credit, monthly, purchased } = job.charge;
  const back = { monthly: 0 - monthly, purchased: 0 - purchased };
  post(account, { at, credit, ...back, reason: "refund", jobId: job.id });
};

/** When a job will fail if nobody does anything. */
const failsAt = (rules: Rules, job: ModelJob): number => {
  const endsAt = Math.min(
    timesOf(rules, job)?.finishesAt ?? Number.POSITIVE_INFINITY,
    job.submittedAt + expiryMs,
  );
  return stateOf(rules, job, endsAt).status === "failed" ? endsAt : Number.POSITIVE_INFINITY;
};

/** Everything that happened by itself until now, one thing after the other. */
export const settle = (rules: Rules, account: ModelAccount, now: number): void => {
  for (;;) {
    const renewsAt =
      rules.renewal === "monthly"
        ? monthsAfter(account.openedAt, account.renewals + 1)
        : Number.POSITIVE_INFINITY;
    let next: { at: number; job: ModelJob } | undefined;
    if (rules.refundFailedJobs) {
      for (const job of account.jobs) {
        if (job.isRefunded || job.charge === undefined || job.forced) continue;
        const at = failsAt(rules, job);
        if (at <= now && at < (next?.at ?? Number.POSITIVE_INFINITY)) next = { at, job };
      }
    }
    if (next !== undefined && next.at <= renewsAt) {
      payBack(rules, account, next.job, next.at);
    } else if (renewsAt <= now) {
      account.renewals += 1;
      for (const credit of ["image", "video"] as const satisfies Credit[]) {
        const { purchased } = account.balances[credit];
        const { monthly } = account.starting[credit];
        setPots(account, renewsAt, credit, { monthly, purchased }, "renewal");
      }
    } else return;
  }
};
