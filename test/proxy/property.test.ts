import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { startVirtualTime } from "../submissions/virtual-world.ts";
import { limit, type Played, type PlayedDay, type PlayedOperation, playDay } from "./random-day.ts";
import { type Day, days, people, type Step } from "./random-days.ts";

/** `PROXY_RUNS=20000 npx vitest run --project=node test/proxy/property.test.ts` searches longer. */
const runs = Number(process.env["PROXY_RUNS"] ?? 150);

/** Throws, if a check fails, an error with the facts that a reader needs to find the reason. */
const require = (isTrue: boolean, what: string, ...facts: unknown[]): void => {
  if (!isTrue) throw new Error(`${what}: ${JSON.stringify(facts)}`);
};

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): T[][] => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
};

/** Tells whether a step makes something, at most once for its call id. */
const makes = ({ what }: Step): boolean => ["submit", "brand", "ad"].includes(what);

const deletes = ({ what }: Step): boolean => what.startsWith("delete");

const isWrite = (step: Step): boolean => makes(step) || deletes(step) || step.what === "change";

/** A call id is charged once, and no charge or change is about another owner's brand or beyond a limit. */
const requireFewCharges = ({ charges, changes }: PlayedDay): void => {
  const perCall = groupBy(charges, ({ mark }) => mark.split("|", 2).join("|"));
  for (const same of perCall) require(same.length === 1, "a call was charged twice", same);
  for (const { mark, about } of [...charges, ...changes]) {
    const isOwn = !about || about.split("|")[0] === mark.split("|")[0];
    require(isOwn, "somebody else's brand or ad was used", mark, about);
  }
  for (const owner of people) {
    const own = charges.filter(
      ({ mark }) => mark.startsWith(`${owner}|`) && mark.includes("|submit|"),
    );
    const credits = own.reduce((sum, { mark }) => sum + Number(mark.split("|")[3]), 0);
    require(own.length <= limit.jobs, "more jobs than the limit", own);
    require(credits <= limit.imageCredits, "more credits than the limit", own);
  }
};

/** No answer shows a mark of another owner. */
const requireOwn = (owner: string, body: string): void => {
  const isLeak = people.some((other) => other !== owner && body.includes(`${other}|`));
  require(!isLeak, "an answer tells of somebody else", owner, body);
};

/** Each answer is an envelope, and shows nothing of another owner. */
const requireOwnEnvelope = ({ step, answer }: Played): void => {
  if (answer === undefined) return;
  const { success, data, error } = JSON.parse(answer.body);
  require(success === answer.status < 400, "success contradicts the status", step, answer);
  require(success
    ? error === null
    : data === null && typeof error === "string", "no envelope", answer);
  require(!answer.body.includes("10.0.0.7"), "an answer tells of the store", answer);
  requireOwn(step.owner, answer.body);
  const mustBeOwn = step.what === "job" && answer.status === 200;
  require(!mustBeOwn ||
    answer.body.includes(`${step.owner}|`), "no answer of one's own", step, answer);
};

/** A write that was `not-sent` or `refused` was not carried out, by this request or an earlier one. */
const requireTruth = (
  { charges, changes }: PlayedDay,
  { step, index, mark, answer, answeredAt = 0 }: Played,
): void => {
  if (answer === undefined) return;
  const own = [...charges, ...changes].filter((operation) => operation.mark === mark);
  if (answer.outcome === "not-sent" || answer.outcome === "refused") {
    // A copy that is still on its way may be carried out later, and a repeated change has no record.
    const isTold = ({ by, at }: PlayedOperation) =>
      by === index && (makes(step) ? at <= answeredAt : step.repeat === undefined);
    const lie = own.find(isTold);
    require(lie === undefined, `${answer.outcome} is a lie`, mark, answer, lie);
  }
  if (makes(step) && answer.status < 300) {
    require(own.length === 1, "a success without a charge", mark, answer);
    require(answer.body.includes(mark), "a success about something else", mark, answer);
  }
};

/** A repeat gets the answer of the first call, or learns that it is in doubt. */
const requireSameAnswers = ({ played }: PlayedDay): void => {
  const named = played.filter(({ step, answer }) => step.callId > 0 && answer && isWrite(step));
  for (const same of groupBy(
    named.filter(({ step }) => makes(step)),
    ({ mark }) => mark,
  )) {
    for (const { step, answer: first, answeredAt = 0 } of same) {
      const mayChange =
        ["not-sent", "refused"].includes(first?.outcome ?? "") ||
        [409, 503].includes(first?.status ?? 409) ||
        (first?.outcome === "unknown" && deletes(step));
      if (mayChange) continue;
      for (const { answer, startedAt, mark } of same) {
        if (startedAt <= answeredAt || answer?.outcome !== undefined) continue;
        const isSame = JSON.stringify(answer) === JSON.stringify(first);
        require(isSame, "a repeat got another answer", mark, first, answer);
      }
    }
  }
};

/** Each job that a living process has answered with stays known to its owner, and on its list. */
const requireMemory = async ({ played, hasDied, audit }: PlayedDay): Promise<void> => {
  for (const owner of people) {
    const answers = played.flatMap(({ step, process, answer }) =>
      step.owner === owner && step.what === "submit" && !(hasDied() && process === 0)
        ? (answer ?? [])
        : [],
    );
    const paid = answers.filter(({ status }) => status === 202);
    const ask = (path: string) =>
      audit(async (proxy) => {
        const headers = { "x-owner": owner };
        const response = await proxy(new Request(`http://page.test/adgen/v1/${path}`, { headers }));
        return { status: response.status, body: await response.text() };
      });
    const list = await ask("jobs");
    for (const { body } of paid) {
      const { job_id: jobId } = JSON.parse(body).data;
      const { status } = await ask(`jobs/${jobId}`);
      require(status === 200, "a paid job is forgotten", owner, body, status);
      require(list.body.includes(`"${jobId}"`), "a paid job is not listed", owner, body, list);
    }
    requireOwn(owner, list.body);
  }
};

/** Each job that was sent is counted. A refused job is given back if the store has worked. */
const requireCounts = async (day: Day, { kept, hasDied, audit }: PlayedDay): Promise<void> => {
  const isWell = !hasDied() && day.store.every((fault) => fault === "none");
  for (const owner of people) {
    const own = kept.filter((mark) => mark.startsWith(`${owner}|`));
    const credits = own.reduce((sum, mark) => sum + Number(mark.split("|")[3]), 0);
    const usage = await audit((proxy) => proxy.usage(owner));
    for (const { kind, used } of usage) {
      const due = kind === "jobs" ? own.length : credits;
      require(isWell ? used === due : used >= due, "a wrong count", owner, kind, used, due);
    }
  }
};

test(
  "no page pays twice, loses a job or sees another owner's things, whatever fails",
  async () => {
    const none = { charges: 0, changes: 0, repeats: 0, deaths: 0 };
    const seen = { ...none, doubts: 0, refusals: 0, limits: 0 };
    const property = fc.asyncProperty(days, async (day) => {
      try {
        const done = await playDay(day, startVirtualTime());
        requireFewCharges(done);
        for (const one of done.played) {
          requireOwnEnvelope(one);
          requireTruth(done, one);
        }
        requireSameAnswers(done);
        await requireMemory(done);
        await requireCounts(day, done);
        seen.charges += done.charges.length;
        seen.changes += done.changes.length;
        seen.deaths += Number(done.hasDied());
        const answers = done.played.map(({ answer }) => answer);
        seen.doubts += answers.filter((answer) => answer?.outcome === "unknown").length;
        seen.refusals += answers.filter((answer) => answer?.outcome === "refused").length;
        seen.limits += answers.filter((answer) => answer?.body.includes('"limit":')).length;
        const good = done.played.filter(({ answer }) => answer?.status === 202);
        seen.repeats += good.length - new Set(good.map(({ mark }) => mark)).size;
      } finally {
        vi.unstubAllGlobals();
        vi.restoreAllMocks();
      }
    });
    // The days are random. A failure prints the seed and the path that repeat it.
    await fc.assert(property, { numRuns: runs });
    // Each of these events must have happened, or the test proves nothing.
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
  },
  180_000 + runs * 200,
);
