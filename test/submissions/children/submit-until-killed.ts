/** A process that recovers what its predecessors left, then submits until it is killed. */
import { createClient, isAdGenError } from "../../../src/client/index.ts";
import { createSubmissionsWith } from "../../../src/submissions/create-submissions.ts";
import { openFileStore } from "../../../src/submissions/file.ts";
import { recoverJobs } from "../../../src/submissions/recover-jobs.ts";
import { ownClock } from "../../../src/submissions/store/clock.ts";
import { openStore } from "../../bullmq/open-store.ts";

const [kind = "", place = "", baseUrl = "", run = ""] = process.argv.slice(2);
const isFile = kind === "file";

// Print nothing: the submissions would warn whenever the store is away.
console.error = () => {};

/** Repeats a step until it succeeds, because Redis may be away for a moment. */
const insist = async <T>(step: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (isFile) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
};

/** Sends a report to the test, which lives longer than this process. */
const tell = async (what: string, body: object = {}) => {
  const told = { method: "POST", body: JSON.stringify(body) };
  return (await (await fetch(`${baseUrl}/told/${what}`, told)).json()).data;
};

const store = isFile ? await openFileStore(place) : openStore(Number(place)).store;
/** The clock of all processes runs 20 times as fast, so that leases end during the test. */
const wall = () => 20 * Date.now();
const submissions = createSubmissionsWith({ ...ownClock, wall }, store);
const onRequest = ({ method }: { readonly method: string }): void => {
  if (method === "POST") process.stdout.write("sends\n");
};
const client = createClient({ baseUrl, apiKey: "test-key", submissions, hooks: { onRequest } });
const before: { charged: string[]; got: number } = await tell("recovering");
const answered: Record<string, string | undefined> = {};
const found = await insist(() => recoverJobs(client));
for (const prompt of before.charged) {
  const one = await insist(() => submissions.find(prompt));
  if (one.state === "settled") answered[prompt] = one.job_id;
}
// An answer that Redis missed is in doubt once its process has ended.
const got = isFile ? before.got : 0;
await tell("recovered", { before: { charged: before.charged.length, got }, ...found, answered });

/** Submissions with a later clock, at a time when no request can be on its way. */
const later = createSubmissionsWith({ ...ownClock, wall: () => wall() + 600_000 }, store);

// Decides by the prompts of candidates, as a person does who knows that no request is on its way.
for (const unknown of found.unknown) {
  const doubt = { ...unknown, mayStillArrive: false };
  const own = doubt.candidates?.find(
    (job) => "prompt" in job && job.prompt === doubt.request["prompt"],
  );
  if (Math.random() < 0.3) continue;
  const decision = own === undefined ? "resubmit" : { adopt: own };
  await insist(() => later.decide(doubt, decision)).catch((error) => {
    // Another process may have decided.
    if (error.code !== "invalid_request") throw error;
  });
}

const known = [...Object.keys(answered), ...found.unknown, ...found.underWay].map((one) =>
  typeof one === "string" ? one : one.id,
);

const submit = async (once: string): Promise<void> => {
  // A call resolves with its job at its timeout, even if the record is not written yet. A busy machine,
  // where processes wait for the lock of one file, needs more than half a second.
  const options = { once, totalTimeoutMs: 5_000 };
  const job = await client.jobs.submit({ action: "generate-ad", prompt: once }, options);
  await tell("got", { prompt: once, jobId: job.job_id });
};

const submitAgainAndAgain = async (worker: number): Promise<void> => {
  for (let count = 0; ; count++) {
    const earlier = known[Math.floor(known.length * Math.random())];
    const isNew = Math.random() >= 0.3 || earlier === undefined;
    const once = isNew ? `order ${run}-${worker}-${count}` : earlier;
    await submit(once).catch(async (error) => {
      if (!isAdGenError(error)) throw error;
      // A Redis that is away fails at once. Without a pause, its client could not connect again.
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    known.push(once);
  }
};

await Promise.all([1, 2, 3, 4].map(submitAgainAndAgain));
