/** A process that recovers what its predecessors left, then submits until it is killed. */
import { createClient, isAdGenError, recoverJobs } from "../../../src/index.ts";
import { createSubmissions } from "../../../src/submissions.ts";
import { openFileStore } from "../../../src/submissions-file.ts";
import { openStore } from "../../fleet/open-store.ts";

const [kind = "", place = "", baseUrl = "", run = ""] = process.argv.slice(2);
const isFile = kind === "file";

// The store may be away, which this says aloud.
console.error = () => {};

/** Does a step until it is done: Redis may be away for a moment. */
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

/** Tells the test, which lives longer than this process. */
const tell = async (what: string, body: object = {}) => {
  const told = { method: "POST", body: JSON.stringify(body) };
  return (await (await fetch(`${baseUrl}/told/${what}`, told)).json()).data;
};

const store = isFile ? await openFileStore(place) : openStore(Number(place)).store;
const submissions = createSubmissions(store);
const onRequest = ({ method }: { readonly method: string }): void => {
  if (method === "POST") process.stdout.write("sends\n");
};
const client = createClient({ baseUrl, apiKey: "test-key", submissions, hooks: { onRequest } });
const before = await tell("recovering");
const found = await insist(() => recoverJobs(client));
// An answer that Redis missed is in doubt once its process has ended.
await tell("recovered", { before: isFile ? before : { ...before, got: 0 }, ...found });

/** Decides by the prompts of candidates, as a person would who knows that nothing is on its way. */
for (const unknown of found.unknown) {
  const doubt = { ...unknown, mayStillArrive: false };
  const own = doubt.candidates?.find(
    (job) => "prompt" in job && job.prompt === doubt.request["prompt"],
  );
  if (Math.random() < 0.3) continue;
  const decision = own === undefined ? "resubmit" : { adopt: own };
  await insist(() => submissions.decide(doubt, decision)).catch((error) => {
    // Another process may have decided.
    if (error.code !== "invalid_request") throw error;
  });
}

const known = [...found.waiting, ...found.unknown, ...found.underWay]
  .map(({ id }) => id)
  .filter((id) => id.startsWith("order "));

const submit = async (once: string | undefined, prompt: string): Promise<void> => {
  const options = { once, totalTimeoutMs: isFile ? 60_000 : 500 };
  const job = await client.jobs.submit({ action: "generate-ad", prompt }, options);
  const jobId = job.job_id;
  await tell("got", { prompt, jobId });
  if (Math.random() < 0.5) return;
  await tell("saved", { jobId });
  await submissions.acknowledge(jobId);
};

const submitAgainAndAgain = async (worker: number): Promise<void> => {
  for (let count = 0; ; count++) {
    const id = `order ${run}-${worker}-${count}`;
    const chance = Math.random();
    const earlier = known[Math.floor(known.length * Math.random())];
    const once = chance < 0.3 && earlier !== undefined ? earlier : id;
    const isPlain = chance > 0.8;
    await submit(isPlain ? undefined : once, isPlain ? `plain ${id}` : once).catch((error) => {
      if (!isAdGenError(error)) throw error;
    });
    if (!isPlain) known.push(once);
  }
};

await Promise.all([1, 2, 3, 4].map(submitAgainAndAgain));
