import type { Job } from "../../contract/jobs.ts";
import { memoryOf } from "../../resources/job-memory.ts";
import type { JobReader, JobRef } from "../../resources/job-ref.ts";
import { createWait } from "../create-wait.ts";
import { noteLook } from "../note-look.ts";
import { durationsOf } from "../own-durations.ts";
import { lastLookEndsAt, listPaceOf, looksAtOnce } from "../plan-look.ts";
import type { PollConfig, WaitProgress } from "../poll-options.ts";
import { progressOf, tellObservers } from "../progress.ts";
import type { Look, Wait } from "../wait.ts";
import { abortedWait, tellWait } from "../wait-errors.ts";
import { listenToWaker, stopListening } from "../wakes.ts";
import { createClock } from "./clock.ts";
import { createGate } from "./gate.ts";
import { createListLooks } from "./lists.ts";
import { listenToPage } from "./page-events.ts";
import { createSignalWatch } from "./signals.ts";
import { createSingleLooks } from "./single-looks.ts";
import { createTimer } from "./timer.ts";

/** So many waits look each for itself; more of them share looks at the list, down to the last two. */
const fewWaits = 3;
/** A woken wait looks once in this time at most. */
const wakePaceMs = 100;
/** A page that comes back has its waits look, where their last look is older. */
const freshMs = 1_000;

const never = Number.POSITIVE_INFINITY;

/** Makes the scheduler of a reader: one timer, and one line for single looks. */
export const createScheduler = (reader: JobReader) => {
  const clock = createClock();
  const waits = new Set<Wait>();
  const usualGate = createGate();
  const durations = durationsOf(memoryOf(reader)?.durations);
  /** A 429 holds up every wait. */
  let blockedUntil = 0;
  let nextListAt = 0;
  let fewestToShare = fewWaits + 1;
  let leavePage = () => {};

  /** Tells when a wait has something to do. */
  const dueAt = (wait: Wait): number => {
    const { place, nextAt, deadlineAt } = wait;
    if (place === "list" && !wait.list?.isLast) return deadlineAt;
    if (place === "line") return lastLookEndsAt(wait);
    if (place !== "resting") return never;
    const isAlone = waits.size < fewestToShare || wait.isUnlisted || looksAtOnce(wait);
    const at = isAlone || !lists.isOn() ? nextAt : Math.max(nextAt, nextListAt);
    return Math.min(Math.max(at, blockedUntil), deadlineAt);
  };

  const plan = (wait: Wait): void => timer.set(dueAt(wait));
  const tick = (firedAt: number): void => {
    const now = Math.max(clock.now(), firedAt);
    const due: Wait[] = [];
    const ending: Wait[] = [];
    for (const wait of waits) {
      if (dueAt(wait) > now + 0.001) continue;
      (wait.deadlineAt - now < 1 ? ending : due).push(wait);
    }
    lookAtAll(due, false);
    lookAtAll(ending, true);
    // Those that look now have a deadline all the same.
    for (const wait of waits) plan(wait);
  };
  const timer = createTimer(clock, tick);

  /** Looks at many in the list, and at few singly. */
  const lookAtAll = (group: readonly Wait[], isLast: boolean): void => {
    const mayShare = waits.size >= fewestToShare && lists.isOn();
    const listed = group.filter((wait) => mayShare && !wait.isUnlisted && wait.place !== "line");
    // One that is due has all see the list. A few that are new, woken or at their end do not.
    const isOwnLook = isLast || listed.every(looksAtOnce);
    const shared = new Set(listed.length > (isOwnLook ? fewWaits : 0) ? listed : []);
    for (const wait of group) {
      wait.wasWoken = false;
      if (shared.has(wait)) lists.leave(wait);
      else lookSingly(wait);
    }
    if (shared.size === 0) return;
    fewestToShare = 2;
    nextListAt = clock.now() + listPaceOf(waits);
    lists.begin(listed, isLast);
  };

  const lookSingly = (wait: Wait): void => {
    if (wait.list?.probe !== wait) lists.leave(wait);
    enterLine(wait);
  };

  const endLook = (wait: Wait, seen: Look): void => {
    const { list } = wait;
    if (list !== undefined) list.probe = undefined;
    settleLook(wait, seen);
    list?.endProbe?.(seen);
  };

  const settleLook = (wait: Wait, seen: Look): void => {
    if (!waits.has(wait)) return;
    const { job, failure } = seen;
    const now = clock.now();
    lists.leave(wait);
    wait.place = "resting";
    const ended = noteLook(wait, seen, now);
    if (failure?.status === 429) blockedUntil = Math.max(blockedUntil, wait.nextAt);
    if (wait.wasWoken) wait.nextAt = Math.min(wait.nextAt, now + wakePaceMs);
    const error = ended?.error && tellWait(wait, now, ended.error);
    if (ended !== undefined) leave(wait);
    tellObservers(wait, seen, error, now, blockedUntil);
    if (job !== undefined && (wait.isStepwise || (ended !== undefined && error === undefined))) {
      leave(wait);
      wait.ending = error;
      wait.resolve(job);
    } else if (error !== undefined) {
      wait.reject(error);
    } else if (wait.config.signal?.aborted) {
      abort(wait);
    } else if (waits.has(wait)) {
      plan(wait);
    }
  };

  /** Takes a wait out, and leaves nothing of it behind. */
  const leave = (wait: Wait): void => {
    if (!waits.delete(wait)) return;
    signals.remove(wait);
    stopListening(wait);
    lists.leave(wait);
    wait.gate.line.delete(wait);
    if (waits.size > 0) return;
    fewestToShare = fewWaits + 1;
    timer.stop();
    lists.reset();
    leavePage();
  };

  const end = (wait: Wait, error: unknown): void => {
    if (!waits.has(wait)) return;
    leave(wait);
    wait.reject(error);
  };

  /** Ends a wait at its abort. A look that is under way says so itself. */
  const abort = (wait: Wait): void => {
    if (wait.place !== "look") end(wait, tellWait(wait, clock.now(), abortedWait(wait)));
  };
  const signals = createSignalWatch(abort);

  const wake = (wait: Wait): void => {
    if (!waits.has(wait)) return;
    wait.wasWoken = true;
    if (wait.place !== "resting") return;
    const soonest = wait.looks === 0 ? 0 : wait.lookedAt + wakePaceMs;
    wait.nextAt = Math.min(wait.nextAt, Math.max(clock.now(), soonest));
    plan(wait);
  };

  const wakeAll = (): void => {
    for (const wait of waits) if (clock.now() - wait.lookedAt >= freshMs) wake(wait);
  };

  const begin = (wait: Wait): void => {
    if (waits.size === 0) {
      clock.restart();
      leavePage = listenToPage(wakeAll);
    }
    waits.add(wait);
    wait.place = "resting";
    signals.add(wait);
    listenToWaker(wait, () => wake(wait));
    if (wait.config.signal?.aborted) abort(wait);
    else void timer.fireSoon();
  };

  const enterLine = createSingleLooks({
    ...{ reader, clock, plan, endLook, end },
    blockedUntil: () => blockedUntil,
  });

  const lists = createListLooks({
    ...{ reader, clock, waits, settleLook, lookSingly },
    noteAnswer: (retryAfterMs) => {
      if (retryAfterMs !== undefined) nextListAt = Math.min(nextListAt, clock.now() + retryAfterMs);
    },
  });

  return {
    createWait: (ref: JobRef, config: PollConfig, gate = usualGate, isStepwise = false): Wait =>
      createWait(reader, ref, config, { durations, gate, now: clock.now() }, isStepwise),
    /** Has a wait go on to its end, or to the next job that it sees where it goes by steps. */
    run: (wait: Wait): Promise<Job> =>
      new Promise((resolve, reject) => {
        Object.assign(wait, { resolve, reject });
        if (wait.ending === undefined) begin(wait);
        else reject(wait.ending);
      }),
    progressOf: (wait: Wait): WaitProgress => progressOf(wait, clock.now(), blockedUntil),
  };
};
