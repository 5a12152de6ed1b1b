import { afterEach, expect, test, vi } from "vitest";
import { isAdGenError } from "../../src/client/errors/errors.ts";
import { type PlayedCall, type PlayedScript, playScript } from "./play-script.ts";

/** `SUBMISSION_RUNS` sets the number of scripts, and `SUBMISSION_SEED` the first seed. */
const runs = Number(process.env["SUBMISSION_RUNS"] ?? 250);
const firstSeed = Number(process.env["SUBMISSION_SEED"] ?? Date.now() % 1_000_000_000);

afterEach(() => {
  vi.restoreAllMocks();
});

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
