import type { Action } from "../../contract/actions.ts";
import type { FinishedJob } from "../../contract/jobs.ts";
import { showCaller } from "../errors/adgen-error.ts";
import type { PollClient, ResultOf } from "../http/job-ref.ts";
import { maxTimerMs } from "../internal/sleep.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { refuseArgument } from "../options/rules.ts";
import { isLastPoll, lastPollMs } from "./advance.ts";
import { applyPoll, readerOf, readOnce } from "./poll.ts";
import { type PollOptions, pollRules, resolvePollOptions } from "./poll-options.ts";
import { type PollTicket, readTicket, withoutJob } from "./poll-ticket.ts";
import { abortedWait } from "./wait-errors.ts";

/** Options of `pollOnce`: the options of a wait that need no loop. */
export interface PollOnceOptions<R = unknown> extends Omit<PollOptions<R>, "timeoutMs" | "wake"> {}

/** The result of one poll: the finished job, or the ticket of the next poll. */
export type PolledOnce<R = unknown> =
  | { readonly done: true; readonly job: FinishedJob<R> }
  | {
      readonly done: false;
      /** The ticket of the next poll. Store it instead of the previous ticket. */
      readonly ticket: PollTicket;
      /** Time to wait before the next poll, in milliseconds. */
      readonly waitMs: number;
    };

/**
 * Polls once, for engines that sleep by themselves: a workflow, a queue, a cron job. It follows all
 * rules of `pollJob`. The ticket carries the state from one poll to the next, which may run in
 * another process.
 *
 * It reads the time from `Date.now()`, because processes share no other clock. If the system's
 * clock is changed, the deadline moves.
 *
 * @param client The client of `createClient`, by which the job is polled.
 * @param ticket Ticket of `createPollTicket`, or of the poll before; also after JSON.
 * @param options Options of the wait. Pass the same ones with every poll of a ticket. The ticket
 * itself holds the deadline.
 * @returns The finished job, or the next ticket and the time to wait. A failed job is an answer.
 * @throws `AdGenError`
 * - `invalid_request`: `ticket` is not a ticket of `createPollTicket`, or an option makes no
 *   sense.
 * - The codes of `pollJob`.
 * @see API v1, section 3 "States and transitions"
 * @example
 * const polled = await pollOnce(client, row.ticket);
 * if (polled.done) await database.finish(row.id, polled.job);
 * else await database.pollAgain(row.id, polled.ticket, Date.now() + polled.waitMs);
 */
export const pollOnce = async <S extends ClientSchemas = ClientSchemas, A extends Action = never>(
  client: PollClient<S>,
  ticket: PollTicket,
  options?: PollOnceOptions<ResultOf<S, A>>,
): Promise<PolledOnce<ResultOf<S, A>>> => {
  const { timeoutMs, wake, ...rules } = pollRules();
  const config = resolvePollOptions("pollOnce", options, refuseArgument, {}, rules);
  const reader = readerOf("pollOnce", client, "a ticket");
  const before = readTicket("pollOnce", ticket, refuseArgument);
  const { jobId, deadlineAt } = before;
  const { signal } = config;
  const askedAt = Date.now();
  if (signal?.aborted) throw showCaller(abortedWait(before, askedAt, signal));
  const maxMs = isLastPoll(before, askedAt) ? lastPollMs(before) : deadlineAt - askedAt;
  // The client knows the action of jobs that it has submitted itself.
  const ref = { job_id: jobId, action: before.action as Action };
  const seen = await readOnce(reader, ref, Math.min(maxTimerMs, maxMs), signal);
  const now = Date.now();
  const step = applyPoll(reader, before, { ...seen, askedAt }, config, now);
  const { ticket: next, job, error, pollAt } = step;
  if (error !== undefined) throw showCaller(error);
  // The client has checked the result by its schema for the action.
  if (pollAt === undefined) return { done: true, job: job as FinishedJob<ResultOf<S, A>> };
  const waitMs = Math.max(0, Math.min(pollAt, deadlineAt) - now);
  return { done: false, ticket: withoutJob({ ...next, jobId }), waitMs };
};
