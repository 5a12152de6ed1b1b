import type { Doubt } from "../../src/client/errors/doubt.ts";
import { isAdGenError } from "../../src/client/errors/errors.ts";
import { makeError } from "../../src/client/errors/make-error.ts";
import type {
  OpenSubmissions,
  SendPaid,
  Submissions,
} from "../../src/client/options/submissions.ts";
import { createSubmissionsWith } from "../../src/submissions/create-submissions.ts";
import { createFaultyStore } from "./store-promises.ts";
import { createProcess, createRandom, createTime, type Process } from "./virtual-world.ts";

/** A job that the service made and charged. */
export interface Charge {
  readonly jobId: string;
  readonly prompt: string;
  /** Token of the attempt whose record was stored when the request left. */
  readonly token: string | undefined;
  /** Call that sent the request. */
  readonly call: PlayedCall;
}

/** One call of a program. */
export interface PlayedCall {
  readonly once: string;
  /** Names the request. Each repeat has the same prompt. */
  readonly prompt: string;
  readonly timeoutMs: number;
  readonly process: Process;
  readonly startedAt: number;
  endedAt?: number;
  jobId?: string | undefined;
  error?: unknown;
}

/** A decision that an operator tried to make. */
export interface PlayedDecision {
  readonly id: string;
  readonly token: string;
  /** `misadopt` adopts a job of another submission. */
  readonly decision: "adopt" | "misadopt" | "resubmit" | "drop";
  /** The operator saw the job of the attempt in the list, or the job could still arrive. */
  readonly hadJob: boolean;
}

const minute = 60_000;

/** Plays programs on processes that crash and sleep, over a store and a service that fail. */
export const playScript = async (seed: number) => {
  const random = createRandom(seed);
  const time = createTime();
  let isQuiet = false;
  const rates = {
    crash: random.pick([0, 0.01, 0.03, 0.1]),
    suspend: random.pick([0, 0.01, 0.05]),
    store: random.pick([0, 0.05, 0.2, 0.5]),
    service: random.pick([0.2, 0.6]),
    wrong: random.pick([0, 0, 0.2]),
  };
  const calm = { crash: 0, suspend: 0 };
  const dangers = () => (isQuiet ? calm : rates);
  const store = createFaultyStore(time, random, () => (isQuiet ? 0 : rates.store));

  const charges: Charge[] = [];
  const calls: PlayedCall[] = [];
  const decisions: PlayedDecision[] = [];
  /** Jobs that `onLateJob` reported. */
  const late = new Set<string>();
  const violations: string[] = [];
  const seen = { crashes: 0, lateJobs: 0, timedOut: 0, tooEarly: 0 };

  const start = () => {
    const process = createProcess(time, random, dangers);
    const submissions = createSubmissionsWith(process.clock, store.openFor(process), {
      onLateJob: ({ jobId }) => {
        late.add(jobId);
        seen.lateJobs++;
      },
    });
    return { process, submissions };
  };

  const charge = (call: PlayedCall, token: string | undefined): string => {
    const jobId = `job-${charges.length + 1}`;
    charges.push({ jobId, prompt: call.prompt, token, call });
    return jobId;
  };

  /** Returns the token of the stored attempt of a request, or of an attempt given up too early. */
  const tokenOf = ({ prompt }: PlayedCall): string | undefined => {
    const records = store
      .texts()
      .flatMap((text) => (text.startsWith("{") ? [JSON.parse(text)] : []));
    const own = records.filter(({ attempt }) => attempt?.facts.request.prompt === prompt);
    const isGivenUp = (token: string) =>
      decisions.some((one) => one.token === token && one.decision !== "resubmit" && one.hadJob);
    const standing =
      own.find(({ state }) => state === "sending") ??
      own.find(({ attempt }) => isGivenUp(attempt.token));
    return standing?.attempt.token;
  };

  const fail = (
    code: "connection" | "timeout" | "payment_required",
    outcome: "not-sent" | "refused" | "unknown",
  ): never => {
    throw makeError(code, code, { outcome });
  };

  /** Sends as a client does, which retries a request that did not leave or was refused for now. */
  const sendFor =
    (call: PlayedCall): SendPaid =>
    async ({ leftMs, canSend }) => {
      const { process } = call;
      await process.step();
      for (let attempt = 1; ; attempt++) {
        if (!canSend() || leftMs() <= 0) return fail("connection", "not-sent");
        const isCalm = isQuiet || !random.happens(rates.service);
        const fault = isCalm
          ? "none"
          : random.pick([
              ...(["nobody there", "for now", "refused", "lost before", "silence"] as const),
              ...(["lost after", "silence after", "names its job", "late", "very late"] as const),
            ]);
        if (fault === "nobody there" || fault === "for now") {
          if (attempt === 3) return fail("connection", "not-sent");
          await process.clock.sleep(Math.min(random.between(10, 8_000), Math.max(0, leftMs())));
          await process.step();
          continue;
        }
        const token = tokenOf(call);
        if (token === undefined) violations.push(`${call.prompt} left without a record`);
        const restMs = leftMs();
        const workMs = random.pick([10, 500, 4_000, restMs]);
        const isCharged = !["refused", "lost before", "silence"].includes(fault);
        let jobId = "";
        const made = time.wait(Math.min(workMs, restMs)).then(() => {
          if (isCharged) jobId = charge(call, token);
        });
        const isOver = process.clock.sleep(restMs);
        await Promise.race([made, isOver]);
        await process.step();
        if (fault === "silence" || fault === "silence after" || (jobId === "" && isCharged)) {
          await isOver;
          return fail("timeout", "unknown");
        }
        if (fault === "refused") return fail("payment_required", "refused");
        if (fault === "lost before" || fault === "lost after") return fail("connection", "unknown");
        if (fault === "late") await process.clock.sleep(Math.min(3_000, Math.max(0, leftMs())));
        if (fault === "very late") await process.clock.sleep(Math.max(0, leftMs()));
        await process.step();
        const answer = { job_id: jobId, status: "queued" };
        if (fault === "names its job") {
          throw makeError("decode", "broken", { jobId, outcome: "unknown" });
        }
        return { answer, jobId };
      }
    };

  const submit = async (
    process: Process,
    submissions: Submissions,
    once = random.pick([`call-${calls.length}`, "order-1", "order-1", "order-2"]),
  ): Promise<void> => {
    const variant = random.happens(0.1) ? "other" : "own";
    const call: PlayedCall = {
      once,
      prompt: `${once} ${variant}`,
      timeoutMs: random.pick([2_000, 20_000, 60_000, 180_000]),
      process,
      startedAt: time.now(),
    };
    calls.push(call);
    const abort = new AbortController();
    if (random.happens(0.1)) time.after(random.between(0, 20_000), () => abort.abort());
    try {
      const { jobId } = await submissions.runOnce(
        {
          once,
          method: "jobs.submit",
          body: { action: "generate-ad", prompt: call.prompt },
          attemptMs: call.timeoutMs,
          timeoutMs: call.timeoutMs,
          signal: abort.signal,
        },
        sendFor(call),
      );
      call.jobId = jobId;
      call.endedAt = time.now();
    } catch (error) {
      call.error ??= error;
      call.endedAt ??= time.now();
    }
  };

  /** Decides by an earlier list and by the jobs of the service, and retries after a failure. */
  const operate = async (
    process: Process,
    submissions: Submissions,
    rounds = random.between(1, 3),
  ): Promise<void> => {
    let unknown: readonly Doubt[];
    try {
      // The second list finds the submissions whose process has died meanwhile.
      await submissions.listOpen();
      await process.clock.sleep(random.pick([0, 20_000, 75_000, 150_000]));
      ({ unknown } = await submissions.listOpen());
    } catch {
      return;
    }
    seen.timedOut += unknown.filter(({ why }) => why === "process_ended").length;
    const listed = [...charges];
    await process.clock.sleep(random.pick([0, 1_000, 75_000, 200_000]));
    for (const doubt of unknown) {
      const { id, token } = doubt;
      const made = listed.find((charged) => charged.token === token);
      const guess = random.happens(rates.wrong) ? random.pick([undefined, ...listed]) : undefined;
      const isWrong = random.happens(rates.wrong);
      const decision =
        guess !== undefined && guess !== made
          ? "misadopt"
          : made && !isWrong
            ? "adopt"
            : random.pick(["resubmit", "drop"] as const);
      // Only "resubmit" waits for a job that may still arrive. Other decisions give the job up.
      const isGivenUp = decision !== "resubmit" && doubt.mayStillArrive;
      const hadJob = made !== undefined || isGivenUp;
      const decided: PlayedDecision = { id, token, decision, hadJob };
      decisions.push(decided);
      const jobId = (decision === "misadopt" ? guess : made)?.jobId ?? "";
      const given = decision === "resubmit" || decision === "drop" ? decision : { adopt: jobId };
      for (let tries = 0; tries < 3; tries++) {
        try {
          await submissions.decide(doubt, given);
          if (decision === "resubmit" && id.startsWith("order")) {
            void submit(process, submissions, id);
          }
          break;
        } catch (error) {
          if (!isAdGenError(error)) throw error;
          // The first request may still arrive, or could arrive when this doubt was listed.
          if (decision === "resubmit" && error.code !== "store") {
            decisions.splice(decisions.indexOf(decided), 1);
            seen.tooEarly++;
            break;
          }
        }
        await process.clock.sleep(random.pick([10, 5_000, 120_000]));
      }
    }
    if (rounds > 1) await operate(process, submissions, rounds - 1);
  };

  const horizon = random.pick([1, 3, 6]) * minute;
  for (let index = random.between(1, 3); index > 0; index--) {
    let running = start();
    /** Starts a dead process again. */
    const revive = () => {
      if (!running.process.isDead()) return running;
      seen.crashes++;
      running = start();
      return running;
    };
    const schedule = (times: number, withinMs: number, act: () => void): void => {
      for (let left = times; left > 0; left--) time.after(random.below(withinMs), act);
    };
    const whenAwake =
      (act: (process: Process, submissions: Submissions) => Promise<void>) => () => {
        const { process, submissions } = revive();
        if (!process.isAsleep()) void act(process, submissions);
      };
    const submitSome = whenAwake((process, submissions) => submit(process, submissions));
    schedule(random.between(2, 8), horizon, submitSome);
    schedule(random.below(3), horizon, () => running.process.setClock());
    schedule(random.between(0, 4), horizon + 5 * minute, whenAwake(operate));
  }
  await time.runUntil(30 * minute);
  isQuiet = true;
  await time.runUntil(100 * minute);

  // At the end, the store and the service work again. Either one process lists the open submissions
  // for a while, or many processes list them once each.
  let open: OpenSubmissions | undefined;
  let auditor = start();
  const livesOn = random.happens(0.5);
  for (const _ of Array.from({ length: 21 })) {
    void auditor.submissions.listOpen().then((found) => {
      open = found;
    });
    await time.runUntil(time.now() + 10_000);
    if (!livesOn) auditor = start();
  }

  return { charges, calls, decisions, late, violations, seen, open, records: store.texts() };
};

export type PlayedScript = Awaited<ReturnType<typeof playScript>>;
