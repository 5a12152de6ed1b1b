/** A process that recovers what its predecessors left, then submits until it is killed. */
import { createClient, toResult } from "../../../src/index.ts";
import { openFileJournal } from "../../../src/journal-file.ts";

const [baseUrl = "", path = "", lane = "", run = ""] = process.argv.slice(2);

/** Tells the test, which lives longer than this process. */
const tell = (what: string, body: object): Promise<Response> =>
  fetch(`${baseUrl}/told/${what}`, { method: "POST", body: JSON.stringify({ lane, ...body }) });

const journal = await openFileJournal(path);
const client = createClient({ baseUrl, apiKey: lane, journal });
const { waiting, unknown, finished, damaged } = await client.jobs.recover();
await tell("recovered", {
  waiting: waiting.map(({ job_id }) => job_id),
  finished: finished.map(({ job_id }) => job_id),
  unknown: unknown.map(({ request, candidates = [] }) => ({
    prompt: request["prompt"],
    candidates: candidates.map(({ job_id }) => job_id),
  })),
  damaged,
});

/** Finds the candidate that was made by the submission's prompt, as a person would. */
for (const { id, request, candidates = [] } of unknown) {
  const found = candidates.find((job) => "prompt" in job && job.prompt === request["prompt"]);
  if (found !== undefined && Math.random() < 0.7) await journal.adopt(id, found);
}

const pollAndSave = async (jobId: string): Promise<void> => {
  await client.jobs.get(jobId);
  if (Math.random() < 0.5) return;
  await tell("saved", { jobId });
  await journal.acknowledge(jobId);
};

const submitAgainAndAgain = async (worker: number): Promise<void> => {
  for (let count = 0; ; count++) {
    const prompt = `${run}-${worker}-${count}`;
    const job = await toResult(client.jobs.submit({ action: "generate-ad", prompt }));
    if (job.ok && Math.random() < 0.3) await pollAndSave(job.data.job_id);
  }
};

await Promise.all([
  ...waiting.slice(0, 3).map(({ job_id }) => pollAndSave(job_id)),
  ...[1, 2, 3, 4].map(submitAgainAndAgain),
]);
