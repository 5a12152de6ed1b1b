// Random calls, late answers and decisions, beside a model that tells what each of them gives.
import { expect, test } from "vitest";
import { makeError } from "../../src/errors/make-error.ts";
import type { PostEnd } from "../../src/submissions/paid-call.ts";
import type { LateJob } from "../../src/submissions/settle.ts";
import {
  answerOf,
  failure,
  here,
  leaseMs,
  type Opened,
  open,
  paid,
  pass,
  play,
  refusal,
  sent,
  silent,
  startStory,
  store,
  there,
  time,
  useStories,
} from "./story.ts";
import { createRandom } from "./virtual-world.ts";

/** `SUBMISSION_SEED` begins elsewhere. */
const firstSeed = Number(process.env["SUBMISSION_SEED"] ?? Date.now() % 1_000_000_000);

useStories();

const ids = ["a", "b", "c", "d", "e", "f", "g"];
/** Time of an attempt, and of its listing, by default. */
const settleMs = 75_000;
const winter = { action: "generate-ad", prompt: "Winter" };

/** The record of an id. */
interface Known {
  readonly token: string;
  readonly body: PaidBody;
  /** When each process met the attempt, and knew that its POST is over. */
  readonly metAt: Map<Opened, number>;
  readonly overAt: Map<Opened, number>;
  /** Process whose POST is under way, and when another one has begun a timer in the store. */
  holder?: Opened | undefined;
  timerAt?: number;
  /** The timer alone has counted the lease. */
  leaseMs?: number | undefined;
  state: "sending" | "settled" | "in-doubt" | "dropped";
  why?: string;
  jobId?: string | undefined;
  answer?: unknown;
  isGuess?: boolean;
  isSaved?: boolean;
}
type PaidBody = typeof paid.body | typeof winter;
/** A doubt as it is decided about. */
interface Told {
  readonly id: string;
  readonly token: string;
  readonly mayStillArrive: boolean | undefined;
}
type Decided = "resubmit" | "drop" | { readonly adopt: string };

const isWaiting = ({ state, isSaved }: Known): boolean => state === "settled" && !isSaved;

const done = { resolved: undefined };

/** Plays a script, and counts what has happened in it. */
const playModel = async (seed: number, count: (what: string) => void): Promise<void> => {
  startStory();
  const random = createRandom(seed);
  const records = new Map<string, Known>();
  /** Submissions by the jobs that answers and decisions have named. */
  const marks = new Map<string, string>();
  const answered: string[] = [];
  const attempts: { readonly id: string; readonly token: string }[] = [];
  const posts: (() => Promise<void>)[] = [];
  const lateJobs: LateJob[] = [];
  const expectedLateJobs: LateJob[] = [];
  const pickProcess = (): Opened => random.pick([here, there]);

  /** A job is that of the answer or the decision that has named it. */
  const ownerOf = (job: string): string | undefined => {
    const id = marks.get(job);
    return records.get(id ?? "")?.jobId === job ? id : undefined;
  };

  const sinceMs = (one: Opened, times: Map<Opened, number>): number => {
    const at = times.get(one) ?? time.now();
    times.set(one, at);
    return time.now() - at;
  };
  const leftMs = (one: Opened, { metAt }: Known): number => leaseMs - sinceMs(one, metAt);

  /** Time for which a doubt may still arrive, as a process knows. */
  const settlesInMs = (one: Opened, { leaseMs, metAt, overAt }: Known): number =>
    leaseMs === undefined
      ? settleMs - sinceMs(one, overAt)
      : leaseMs + settleMs - sinceMs(one, metAt);

  /** A process meets a record, and sees that its lease is over. */
  const meet = (one: Opened, id: string): Known | undefined => {
    const record = records.get(id);
    if (record === undefined) return undefined;
    const isWatched = record.state === "sending" && leftMs(one, record) > 0;
    const byTimer = isWatched && record.holder !== one;
    if (byTimer) record.timerAt ??= time.now();
    const isTimedOut = byTimer && time.now() - (record.timerAt ?? 0) >= leaseMs;
    const isOver = record.state === "sending" && (!isWatched || isTimedOut);
    if (!isOver) return record;
    const why = "process_ended";
    count(isTimedOut ? "the end of a timer" : why);
    if (isTimedOut) record.leaseMs = leaseMs;
    return Object.assign(record, { state: "in-doubt", why });
  };

  const nextJob = () => `job-${answered.length + random.below(2)}`;
  /** A guess may come before the answer that names its job, and after it. */
  const pickJob = () => (random.happens(0.7) ? nextJob() : (random.pick(answered) ?? nextJob()));

  /** The end of a POST, and what is to be kept of it. */
  const pickEnd = (): { readonly end: PostEnd; readonly kept?: Partial<Known> } => {
    const kind = random.pick(["answer", "answer", "broken", "lost", "lost", "lost", "refused"]);
    const error = makeError("connection", kind);
    if (kind === "refused") return { end: { verdict: "free", error } };
    if (kind === "lost") {
      return { end: { verdict: "doubt", error }, kept: { state: "in-doubt", why: "connection" } };
    }
    const jobId = `job-${answered.length}`;
    answered.push(jobId);
    if (marks.has(jobId)) count("an answer with the job of a guess that was saved");
    const answer = kind === "answer" ? answerOf(jobId) : undefined;
    const end = { verdict: "settled", jobId, answer, ...(!answer && { error }) } as const;
    return { end, kept: { state: "settled", jobId, answer } };
  };

  /** An answer names a job: a guess that was saved is in doubt again. */
  const claim = (jobId: string | undefined, id: string): void => {
    if (jobId === undefined) return;
    const former = marks.get(jobId);
    const guess = former === id ? undefined : records.get(former ?? "");
    if (guess?.isGuess && guess.jobId === jobId) {
      const why = "not_its_job";
      count(why);
      Object.assign(guess, { state: "in-doubt", why, jobId: undefined, isGuess: false });
      guess.isSaved = false;
    }
    marks.set(jobId, id);
  };

  /** The end of an attempt is written. The paid job of one that was decided otherwise is not lost. */
  const settle = (id: string, own: Known, kept: Partial<Known> | undefined): void => {
    const now = records.get(id);
    claim(kept?.jobId, id);
    if (now === own && ["sending", "in-doubt"].includes(own.state)) {
      if (kept) Object.assign(own, { leaseMs: undefined }, kept);
      else records.delete(id);
    } else if (kept?.jobId !== undefined && !(now === own && own.jobId === kept.jobId)) {
      const recordId = now ? `${id}~${own.token}` : id;
      claim(kept.jobId, recordId);
      records.set(recordId, { ...own, isGuess: false, isSaved: false, ...kept });
      if (now) expectedLateJobs.push({ id, recordId, jobId: kept.jobId });
      count(now ? "a late job" : "an answer that takes its id back");
    }
  };

  /** Gives what a call gets by a record. */
  const repeatOf = (one: Opened, id: string, record: Known, asked: PaidBody) => {
    const { state, token, why, body, answer, jobId } = record;
    count(state);
    if (body !== asked) {
      return { ...refusal(`the id "${id}" belongs to another request`), outcome: "not-sent" };
    }
    if (state === "settled") return { resolved: { answer, jobId, isRepeated: true } };
    const outcome = "unknown";
    if (state === "dropped") return { ...refusal("was dropped by a decision"), outcome };
    if (state === "in-doubt") {
      const mayStillArrive = settlesInMs(one, record) > 0;
      return { code: "in_doubt", outcome, doubt: { id, token, why, mayStillArrive } };
    }
    return { code: "under_way", outcome, retryAfterMs: leftMs(one, record) };
  };

  const submit = async (): Promise<void> => {
    const once = random.pick(ids);
    const body = random.happens(0.8) ? paid.body : winter;
    const isLate = random.happens(0.5);
    const one = isLate ? open({ onLateJob: (job) => lateJobs.push(job) }) : pickProcess();
    const now = meet(one, once);
    if (now !== undefined) {
      const result = await failure(one.submit({ ...paid, once, body, timeoutMs: 50 }, silent));
      return expect(result).toMatchObject(repeatOf(one, once, now, body));
    }
    const { end, kept } = pickEnd();
    const { promise, resolve } = Promise.withResolvers<PostEnd>();
    const work = failure(one.start({ ...paid, once, body }, () => promise));
    await pass(0);
    const { token } = JSON.parse((await store.get(`once:${once}`))?.text ?? "").attempt;
    attempts.push({ id: once, token });
    const own: Known = {
      ...{ token, body, state: "sending", holder: one },
      ...{ metAt: new Map(), overAt: new Map() },
    };
    records.set(once, own);
    const finish = async (): Promise<void> => {
      settle(once, own, kept);
      own.holder = undefined;
      if (end.verdict === "doubt") sinceMs(one, own.overAt);
      resolve(end);
      const { answer, jobId, error } = end;
      expect(await play(work)).toEqual(error ?? { resolved: { answer, jobId, isRepeated: false } });
      await pass(0);
    };
    if (isLate) posts.push(finish);
    else await finish();
  };

  /** The first request may still arrive, or the candidates are of when it could. */
  const refuseResubmit = (one: Opened, record: Known, told: boolean | undefined) => {
    const retryAfterMs = told === false ? 0 : settlesInMs(one, record);
    if (retryAfterMs > 0) count("too early");
    if (retryAfterMs > 0) return { code: "under_way", retryAfterMs };
    return told && refusal("decide by the new candidates");
  };

  const judge = (one: Opened, { id, token, mayStillArrive }: Told, decision: Decided): object => {
    const record = records.get(id);
    if (record?.token !== token) {
      return decision === "resubmit"
        ? done
        : refusal("is not in doubt about this attempt any more");
    }
    const { state } = record;
    const jobId = typeof decision === "object" ? decision.adopt : undefined;
    if (state !== "in-doubt") {
      const isSame = jobId ? record.jobId === jobId : decision === "drop" && state === "dropped";
      if (!isSame) return refusal(`is ${state}, and not in doubt: recover again`);
    } else if (decision === "resubmit") {
      const refused = refuseResubmit(one, record, mayStillArrive);
      if (refused) return refused;
      records.delete(id);
    } else if (decision === "drop") record.state = "dropped";
    else {
      const owner = ownerOf(decision.adopt) ?? id;
      if (owner !== id) return refusal(`belongs to the submission "${owner}": take a candidate`);
      Object.assign(record, { state: "settled", jobId, answer: undefined, isGuess: true });
      marks.set(decision.adopt, id);
    }
    return done;
  };

  const decide = async (): Promise<void> => {
    const undecided = attempts.filter(({ id }) => records.get(id)?.state === "in-doubt");
    const known = random.pick([...undecided, ...attempts.slice(-1)]) ?? { id: "a", token: "" };
    const attempt = { ...known, mayStillArrive: random.pick([undefined, true, false, false]) };
    const adopt = { adopt: pickJob() };
    const decision = random.pick<Decided>(["resubmit", "resubmit", "drop", adopt, adopt]);
    const one = pickProcess();
    // Once more, as after a crash.
    for (const by of [one, one, pickProcess()]) {
      const expected = judge(by, attempt, decision);
      expect(await failure(by.decide(attempt, decision))).toMatchObject(expected);
    }
  };

  const acknowledge = async (): Promise<void> => {
    const waiting = [...records.values()].filter(isWaiting).map(({ jobId = "" }) => jobId);
    const jobId = random.pick([...waiting, pickJob()]);
    const id = ownerOf(jobId) ?? "";
    const record = records.get(id);
    const result = await failure(pickProcess().acknowledge({ job_id: jobId }));
    const none = refusal(`the job "${jobId}" is none of a submission on record`);
    expect(result).toMatchObject(record ? done : none);
    if (record === undefined || record.isSaved) return;
    record.isSaved = true;
    marks.set(jobId, id);
  };

  const list = async (): Promise<void> => {
    const one = pickProcess();
    for (const id of records.keys()) meet(one, id);
    const tell = <T>(isTold: (record: Known) => boolean, show: (id: string, record: Known) => T) =>
      [...records].flatMap(([id, record]) => (isTold(record) ? [[id, show(id, record)]] : []));
    const { waiting, unknown, underWay } = await one.list();
    expect({
      waiting: waiting.map(({ id, job_id }) => [id, job_id]).sort(),
      unknown: unknown
        .map(({ id, token, why, ...told }) => [id, [token, why, told.leaseMs, told.mayStillArrive]])
        .sort(),
      underWay: underWay.map(({ id, leftMs }) => [id, leftMs]).sort(),
    }).toEqual({
      waiting: tell(isWaiting, (_, { jobId }) => jobId).sort(),
      unknown: tell(
        ({ state }) => state === "in-doubt",
        (_, record) => {
          const { token, why, leaseMs } = record;
          return [token, why, leaseMs, settlesInMs(one, record) > 0];
        },
      ).sort(),
      underWay: tell(
        ({ state }) => state === "sending",
        (_, record) => leftMs(one, record),
      ).sort(),
    });
    for (const id of ids) expect((await one.find(id)).state).toBe(records.get(id)?.state ?? "free");
  };

  const acts = [submit, submit, submit, decide, decide, decide, acknowledge, list, list];
  const elapse = () => pass(random.pick([1, settleMs - leaseMs, leaseMs - 1, leaseMs, leaseMs]));
  const answer = async () => posts.splice(random.below(posts.length), 1)[0]?.();
  for (let step = 0; step < 60; step++) await random.pick([...acts, elapse, answer])();
  for (const finish of posts) await finish();
  await list();
  expect(lateJobs).toEqual(expectedLateJobs);
  // No repeat was sent.
  expect(sent).toBe(0);
};

test("a call, a decision and an end give what the record says, in every process", async () => {
  const counts = new Map<string, number>();
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  for (let seed = firstSeed; seed < firstSeed + 250; seed++) {
    await playModel(seed, count).catch((error: Error) => {
      error.message = `SUBMISSION_SEED=${seed}: ${error.message}`;
      throw error;
    });
  }
  // Four states, three reasons of doubt, three kinds of late answers, and decisions too early.
  expect([...counts.keys()].sort()).toHaveLength(11);
});
