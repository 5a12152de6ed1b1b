import { afterEach, expect, test, vi } from "vitest";
import { isAdGenError } from "../../src/errors/errors.ts";
import { type PlayedScript, playScript } from "./play-script.ts";
import { digestAtOnce } from "./virtual-world.ts";

/** `npm run test:submissions` plays 20,000 scripts. `SUBMISSION_SEED` begins elsewhere. */
const runs = Number(process.env["SUBMISSION_RUNS"] ?? 250);
const firstSeed = Number(process.env["SUBMISSION_SEED"] ?? Date.now() % 1_000_000_000);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Lists what is wrong with a script that was played. */
const findBreaches = (played: PlayedScript): string[] => {
  const { charges, calls, decisions, acknowledged, open } = played;
  const breaches = [...played.violations];
  /** Tells whether an operator has decided against a job that the service listed. */
  const wasDecided = (token: string | undefined, ...kinds: string[]): boolean =>
    decisions.some((one) => one.token === token && one.hadJob && kinds.includes(one.decision));

  // One charge for an id, unless somebody decided to submit again in spite of a job.
  const names = new Set(charges.map(({ prompt, call }) => call.once ?? prompt));
  for (const name of names) {
    const paid = charges.filter(({ prompt, call }) => (call.once ?? prompt) === name);
    const unwanted = paid.filter(({ token }) => !wasDecided(token, "resubmit"));
    if (unwanted.length > 1) breaches.push(`${name} was charged ${unwanted.length} times`);
    const answers = new Set(
      calls.flatMap(({ once, prompt, jobId }) =>
        jobId !== undefined && (once ?? prompt) === name ? [jobId] : [],
      ),
    );
    const isGuessed = decisions.some(({ id, decision }) => id === name && decision === "misadopt");
    if (answers.size > 1 && unwanted.length === paid.length && !isGuessed) {
      breaches.push(`${name} got several answers`);
    }
  }

  // Each job that was paid for is told, until somebody decides about it.
  if (open === undefined) breaches.push("the open submissions cannot be listed");
  if (open !== undefined && open.damaged.length > 0) breaches.push("a record is damaged");
  if (open !== undefined && open.underWay.length > 0) breaches.push("a lost one seems under way");
  const waiting = new Set(open?.waiting.map(({ job_id: jobId }) => jobId));
  const unknown = new Set(open?.unknown.map(({ token }) => token));
  for (const { jobId, token, prompt } of charges) {
    const isTold = waiting.has(jobId) || unknown.has(token ?? "");
    const isOver = acknowledged.has(jobId) || wasDecided(token, "resubmit", "drop", "misadopt");
    if (!isTold && !isOver) breaches.push(`${jobId} of ${prompt} is lost`);
  }
  for (const jobId of waiting) {
    if (!charges.some((charge) => charge.jobId === jobId)) breaches.push(`${jobId} was not made`);
  }
  if (waiting.size < (open?.waiting.length ?? 0)) {
    breaches.push("a job is told twice");
  }

  // Each outcome is true, and comes in time.
  for (const call of calls) {
    const { error, prompt, jobId, process, startedAt, endedAt, timeoutMs } = call;
    const own = charges.filter((charge) => charge.prompt === prompt);
    const isGuessed = decisions.some(
      ({ id, decision }) => id === call.once && decision === "misadopt",
    );
    if (jobId !== undefined && !own.some((charge) => charge.jobId === jobId) && !isGuessed) {
      breaches.push(`${prompt} got ${jobId} of another request`);
    }
    if (error !== undefined && !isAdGenError(error)) breaches.push(`${prompt} failed: ${error}`);
    if (isAdGenError(error) && error.outcome === "not-sent") {
      if (charges.some((charge) => charge.call === call)) breaches.push(`${prompt} was sent`);
    }
    if (process.slept() > startedAt || process.isDead()) continue;
    if (endedAt === undefined) breaches.push(`${prompt} has not ended`);
    else if (endedAt - startedAt > timeoutMs + 100) {
      breaches.push(`${prompt} took ${endedAt - startedAt} ms in place of ${timeoutMs}`);
    }
  }
  return breaches;
};

test(
  "makes each paid call once, and loses none, whatever fails",
  async () => {
    digestAtOnce();
    vi.spyOn(console, "error").mockImplementation(() => {}); // late writes are meant
    const sums = { charges: 0, crashes: 0, repeats: 0, doubts: 0, decisions: 0, lateJobs: 0 };
    for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
      const played = await playScript(seed);
      const breaches = findBreaches(played);
      if (breaches.length > 0) throw new Error(`SUBMISSION_SEED=${seed}: ${breaches.join("; ")}`);
      const answered = played.calls.flatMap(({ jobId }) => jobId ?? []);
      sums.charges += played.charges.length;
      sums.crashes += played.seen.crashes;
      sums.repeats += answered.length - new Set(answered).size;
      sums.doubts += played.open?.unknown.length ?? 0;
      sums.decisions += played.decisions.length;
      sums.lateJobs += played.seen.lateJobs;
    }
    if (process.env["SUBMISSION_RUNS"]) console.log(`${runs} scripts: ${JSON.stringify(sums)}`);
    // Each of these happens: otherwise nothing was tried.
    const { lateJobs, ...frequent } = sums;
    for (const [what, count] of Object.entries(frequent)) expect(count, what).toBeGreaterThan(0);
    if (runs >= 20_000) expect(lateJobs).toBeGreaterThan(0);
  },
  180_000 + runs * 100,
);
