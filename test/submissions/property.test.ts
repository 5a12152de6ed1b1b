import { expect, test, vi } from "vitest";
import { isAdGenError } from "../../src/client/errors/errors.ts";
import { makeError } from "../../src/client/errors/make-error.ts";
import type { SendPaid } from "../../src/client/options/submissions.ts";
import type { LateJob } from "../../src/submissions/submissions-options.ts";
import * as story from "./fixtures.ts";
import {
  advance,
  advanceUntilDone,
  answerOf,
  leaseMs,
  outcomeOf,
  paid,
  refusal,
  refuseCall,
} from "./fixtures.ts";
import { type PlayedCall, type PlayedScript, playScript } from "./play-script.ts";
import { createRandom } from "./virtual-world.ts";

/** `SUBMISSION_RUNS` sets the number of scripts, and `SUBMISSION_SEED` the first seed. */
const runs = Number(process.env["SUBMISSION_RUNS"] ?? 250);
const firstSeed = Number(process.env["SUBMISSION_SEED"] ?? Date.now() % 1_000_000_000);

story.useFixtures();

/** Returns the promises that a script has broken. */
const findBreaches = (played: PlayedScript): string[] => {
  const { charges, calls, decisions, late, records, open } = played;
  const breaches = [...played.violations];
  const refuse = (isWrong: boolean, breach: string): void => {
    if (isWrong) breaches.push(breach);
  };
  /** Returns whether an operator decided against a job that the service listed. */
  const wasDecided = (token: string | undefined, ...kinds: string[]): boolean =>
    decisions.some((one) => one.token === token && one.hadJob && kinds.includes(one.decision));
  const isGuessed = (name: string | undefined): boolean =>
    decisions.some(({ id, decision }) => id === name && decision === "misadopt");

  // An id is charged once, unless somebody decided to resubmit although there was a job.
  const nameOf = ({ once }: PlayedCall): string => once;
  for (const name of new Set(charges.map(({ call }) => nameOf(call)))) {
    const paid = charges.filter(({ call }) => nameOf(call) === name);
    const unwanted = paid.filter(({ token }) => !wasDecided(token, "resubmit"));
    refuse(unwanted.length > 1, `${name} was charged ${unwanted.length} times`);
    const answered = calls.filter((call) => nameOf(call) === name);
    const jobs = new Set(answered.flatMap(({ jobId }) => jobId ?? []));
    const mayDiffer = unwanted.length < paid.length || isGuessed(name);
    refuse(jobs.size > 1 && !mayDiffer, `${name} got several answers`);
  }

  // Each charged job is reported until somebody decides about it.
  if (open === undefined) return [...breaches, "the open submissions cannot be listed"];
  refuse(open.damaged.length > 0, "a record is damaged");
  refuse(open.underWay.length > 0, "a lost submission seems under way");
  const kept = records.flatMap((text) => (text.startsWith("{") ? [JSON.parse(text).jobId] : []));
  const answered = new Set(kept.filter((jobId) => jobId !== undefined));
  const unknown = new Set(open.unknown.map(({ token }) => token));
  for (const { jobId, token, prompt } of charges) {
    const isTold = answered.has(jobId) || unknown.has(token ?? "");
    const isOver = late.has(jobId) || wasDecided(token, "resubmit", "drop", "misadopt");
    refuse(!isTold && !isOver, `${jobId} of ${prompt} is lost`);
  }
  const made = new Set(charges.map(({ jobId }) => jobId));
  for (const jobId of answered) refuse(!made.has(jobId), `${jobId} was not made`);

  // Each reported outcome is true, and comes before the timeout.
  for (const call of calls) {
    const { error, prompt, jobId, process, startedAt, endedAt, timeoutMs } = call;
    const isOwn = charges.some((charge) => charge.prompt === prompt && charge.jobId === jobId);
    const isOthers = jobId !== undefined && !isOwn && !isGuessed(call.once);
    refuse(isOthers, `${prompt} got ${jobId} of another request`);
    refuse(error !== undefined && !isAdGenError(error), `${prompt} failed: ${error}`);
    const seemsUnsent = isAdGenError(error) && error.outcome === "not-sent";
    refuse(seemsUnsent && charges.some((charge) => charge.call === call), `${prompt} was sent`);
    if (process.slept() > startedAt || process.isDead()) continue;
    const tookMs = (endedAt ?? Number.POSITIVE_INFINITY) - startedAt;
    refuse(tookMs > timeoutMs + 100, `${prompt} took ${tookMs} ms in place of ${timeoutMs}`);
  }
  return breaches;
};

test(
  "each paid call is made once and no job is lost, whatever fails",
  async () => {
    vi.spyOn(console, "error").mockImplementation(() => {}); // late writes are expected
    const sums = { charges: 0, repeats: 0, doubts: 0, decisions: 0 };
    const seen = { crashes: 0, lateJobs: 0, timedOut: 0, tooEarly: 0 };
    for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
      const played = await playScript(seed);
      const breaches = findBreaches(played);
      if (breaches.length > 0) throw new Error(`SUBMISSION_SEED=${seed}: ${breaches.join("; ")}`);
      const answered = played.calls.flatMap(({ jobId }) => jobId ?? []);
      sums.charges += played.charges.length;
      sums.repeats += answered.length - new Set(answered).size;
      sums.doubts += played.open?.unknown.length ?? 0;
      sums.decisions += played.decisions.length;
      for (const what of ["crashes", "lateJobs", "timedOut", "tooEarly"] as const) {
        seen[what] += played.seen[what];
      }
    }
    const { lateJobs, ...frequent } = { ...sums, ...seen };
    if (process.env["SUBMISSION_RUNS"]) {
      console.log(`${runs} scripts: ${JSON.stringify({ ...frequent, lateJobs })}`);
    }
    // Each of these events must have happened, or the test proves nothing.
    for (const [what, count] of Object.entries(frequent)) expect(count, what).toBeGreaterThan(0);
    if (runs >= 20_000) expect(lateJobs).toBeGreaterThan(0);
  },
  180_000 + runs * 100,
);

const ids = ["a", "b", "c", "d"];
const lateArrivalMs = 75_000;
const winter = { action: "generate-ad", prompt: "Winter" };
const done = { resolved: undefined };

type End = Awaited<ReturnType<SendPaid>> | Error;
type Decision = "resubmit" | "drop" | { readonly adopt: string };

/** The record of an id in the model. */
interface Known {
  readonly token: string;
  readonly body: object;
  state: "sending" | "settled" | "in-doubt" | "dropped";
  until: number;
  why?: string;
  settlesAt?: number;
  jobId?: string | undefined;
  answer?: unknown;
}

/** Plays random calls, late answers and decisions beside a model that predicts each result. */
const playModel = async (seed: number, count: (what: string) => void): Promise<void> => {
  story.resetFixtures();
  const random = createRandom(seed);
  const told: LateJob[] = [];
  const expected: LateJob[] = [];
  const processes = [1, 2].map(() => story.openProcess({ onLateJob: (job) => told.push(job) }));
  const records = new Map<string, Known>();
  /** Ids of submissions, by the jobs that answers and decisions have named. */
  const marks = new Map<string, string>();
  const attempts: { readonly id: string; readonly token: string }[] = [];
  const posts: (() => Promise<void>)[] = [];
  let made = 0;
  const wall = () => processes[0]?.process.clock.wall() ?? 0;

  const read = (id: string | undefined): Known | undefined => {
    const record = records.get(id ?? "");
    if (record?.state !== "sending" || wall() < record.until) return record;
    const lapsed = { why: "process_ended", settlesAt: record.until + lateArrivalMs } as const;
    return Object.assign(record, { state: "in-doubt", ...lapsed } as const);
  };
  const isOpen = ({ state }: Known) => state === "sending" || state === "in-doubt";

  /** Marks a job as the job of a submission, or returns another submission that owns it. */
  const claim = (jobId: string, id: string): string | undefined => {
    const other = marks.get(jobId);
    const owner = other === id ? undefined : read(other);
    if (owner && (isOpen(owner) || owner.jobId === jobId)) return other;
    marks.set(jobId, id);
    return undefined;
  };

  /** Records the end of an attempt. A decision wins, unless it has made the id free. */
  const recordEnd = (id: string, own: Known, end: Partial<Known> | undefined): void => {
    const owner = end?.jobId && claim(end.jobId, id);
    const now = read(id);
    if (now === undefined && end?.jobId) {
      count("an answer takes its id back");
      records.set(id, Object.assign(own, end));
    } else if (now === own && isOpen(own)) {
      if (end) Object.assign(own, end);
      else records.delete(id);
    }
    const isKept = records.get(id)?.jobId === end?.jobId;
    if (!end?.jobId || (isKept && !owner)) return;
    count("a late job");
    expected.push({ id, jobId: end.jobId });
  };

  const pickEnd = (): { readonly end: End; readonly kept?: () => Partial<Known> } => {
    const kind = random.pick(["answer", "answer", "broken", "lost", "lost", "lost", "refused"]);
    if (kind === "refused") return { end: makeError("connection", kind, { outcome: "refused" }) };
    if (kind === "lost") {
      const end = makeError("connection", kind, { outcome: "unknown" });
      const doubt = { state: "in-doubt", why: "connection" } as const;
      return { end, kept: () => ({ ...doubt, settlesAt: wall() + lateArrivalMs }) };
    }
    const jobId = `job-${made++}`;
    const answer = kind === "answer" ? answerOf(jobId) : undefined;
    const end = answer ? { answer, jobId } : makeError("decode", kind, { jobId });
    return { end, kept: () => ({ state: "settled", jobId, answer }) };
  };

  /** Predicts the result of a repeat. */
  const repeatOf = (id: string, record: Known, body: object): object => {
    const { state, token, why, settlesAt = 0, answer, jobId } = record;
    count(state);
    if (record.body !== body) return { ...refusal("another request"), outcome: "not-sent" };
    if (state === "settled") return { resolved: { answer, jobId, isRepeated: true } };
    if (state === "dropped") return { ...refusal("was dropped"), outcome: "unknown" };
    if (state === "sending") return { code: "under_way", retryAfterMs: record.until - wall() };
    const doubt = { id, token, why, settlesAt, mayStillArrive: wall() < settlesAt };
    return { code: "in_doubt", outcome: "unknown", doubt };
  };

  const submit = async (): Promise<void> => {
    const one = random.pick(processes);
    const once = random.pick(ids);
    const body = random.happens(0.8) ? paid.body : winter;
    const there = read(once);
    if (there !== undefined) {
      const repeat = one.submit({ ...paid, once, body, timeoutMs: 50 }, refuseCall);
      return expect(await outcomeOf(repeat)).toMatchObject(repeatOf(once, there, body));
    }
    const { end, kept } = pickEnd();
    const post = Promise.withResolvers<End>();
    const work = outcomeOf(
      one.start({ ...paid, once, body }, async () => {
        const given = await post.promise;
        if (given instanceof Error) throw given;
        return given;
      }),
    );
    await advance(0);
    const { token } = JSON.parse((await story.sharedStore.get(`once:${once}`))?.text ?? "").attempt;
    attempts.push({ id: once, token });
    const own: Known = { token, body, state: "sending", until: wall() + leaseMs };
    records.set(once, own);
    posts.push(async () => {
      recordEnd(once, own, kept?.());
      post.resolve(end);
      const isError = end instanceof Error;
      expect(await advanceUntilDone(work)).toEqual(
        isError ? end : { resolved: { ...end, isRepeated: false } },
      );
    });
  };

  const judge = (id: string, token: string, decision: Decision, isEarly?: boolean): object => {
    const record = read(id);
    const adopted = typeof decision === "object" ? decision.adopt : undefined;
    if (record?.token !== token) {
      return decision === "resubmit" ? done : refusal("not in doubt about this attempt any more");
    }
    const { state, settlesAt = 0 } = record;
    if (state !== "in-doubt") {
      const isSame = adopted ? record.jobId === adopted : state === "dropped";
      return isSame && decision !== "resubmit" ? done : refusal(`is ${state}, and not in doubt`);
    }
    if (decision === "drop") record.state = "dropped";
    else if (adopted) {
      const owner = claim(adopted, id);
      if (owner !== undefined) return refusal(`belongs to the submission "${owner}"`);
      Object.assign(record, { state: "settled", jobId: adopted, answer: undefined });
    } else if (wall() < settlesAt) {
      count("too early");
      return { code: "under_way", retryAfterMs: settlesAt - wall() };
    } else if (isEarly) return refusal("out of date");
    else records.delete(id);
    return done;
  };

  const decide = async (): Promise<void> => {
    const doubts = attempts.filter(({ id }) => read(id)?.state === "in-doubt");
    const { id, token } = random.pick([...doubts, ...attempts.slice(-1)]) ?? { id: "a", token: "" };
    const adopt = { adopt: `job-${made - 2 + random.below(4)}` };
    const decision = random.pick<Decision>(["resubmit", "resubmit", "drop", adopt]);
    const mayStillArrive = random.pick([undefined, true, false, false]);
    // The decision is made twice, as after a crash.
    for (const one of processes) {
      const outcome = judge(id, token, decision, mayStillArrive);
      const decided = one.decide({ id, token, mayStillArrive }, decision);
      expect(await outcomeOf(decided)).toMatchObject(outcome);
    }
  };

  const look = async (): Promise<void> => {
    const one = random.pick(processes);
    const { unknown, underWay } = await one.list();
    const shown = [...unknown, ...underWay].map(({ id }) => id);
    for (const id of ids) {
      const { state, until, jobId, settlesAt, token } = read(id) ?? {};
      expect(shown.includes(id)).toBe(state === "sending" || state === "in-doubt");
      expect(await one.find(id)).toMatchObject({
        state: state ?? "free",
        ...(state === "sending" && { leftMs: (until ?? 0) - wall() }),
        ...(state === "settled" && { job_id: jobId }),
        ...(state === "in-doubt" && { doubt: { token, settlesAt } }),
      });
    }
  };

  const answer = async () => posts.splice(random.below(posts.length), 1)[0]?.();
  const elapse = () =>
    advance(random.pick([1, leaseMs - 1, leaseMs, lateArrivalMs, lateArrivalMs]));
  const acts = [submit, submit, submit, answer, decide, decide, decide, look, elapse, elapse];
  for (let step = 0; step < 60; step++) await random.pick(acts)();
  for (const finish of posts) await finish();
  await look();
  expect(told).toEqual(expected);
  // The first calls do not count what they send, and no repeat was sent.
  expect(story.sentCount).toBe(0);
};

test("random calls, decisions and ends give the results of the model, in every process", async () => {
  const seen = new Set<string>();
  for (let seed = firstSeed; seed < firstSeed + 250; seed++) {
    await playModel(seed, (what) => void seen.add(what)).catch((error: Error) => {
      error.message = `SUBMISSION_SEED=${seed}: ${error.message}`;
      throw error;
    });
  }
  // The model has met four states, two kinds of late answers, and decisions that came too early.
  expect(seen.size).toBe(7);
});
