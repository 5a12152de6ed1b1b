// A fleet to watch: 3 workers in processes of their own, 30 ads, and a worker that is killed.
//
//   npm run example:fleet
import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createJobQueue } from "adgen-sdk/bullmq";
import { startMockServer } from "adgen-sdk/mocks/server";
import { openRedis } from "./redis.ts";

const adCount = 30;
const redis = await openRedis();
const server = await startMockServer({
  timeline: { queuedMs: { min: 300, max: 900 }, processingMs: { min: 500, max: 3_000 } },
});
// Each submission takes its time, so that the killed worker is likely to be in the middle of one.
server.service.faults.play(
  { kind: "latency", ms: { min: 100, max: 400 } },
  { operation: "jobs.submit", times: 10 * adCount },
);

const startWorker = () =>
  spawn(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.resolve("./worker.ts"))],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        REDIS_URL: redis.url,
        ADGEN_BASE_URL: server.url,
        ADGEN_API_KEY: "test-key",
      },
    },
  );
const workers = [startWorker(), startWorker(), startWorker()];

// A name of its own for each run: the fleet remembers its ids.
const run = Date.now().toString(36);
const ids = Array.from({ length: adCount }, (_, index) => `${run}-ad-${index + 1}`);
const queue = createJobQueue({ name: "example", connection: { url: redis.url } });
for (const id of ids) await queue.add(id, { action: "generate-ad", prompt: `Summer sale, ${id}` });
await queue.add(`${run}-ad-1`, { action: "generate-ad", prompt: `Summer sale, ${run}-ad-1` });
console.log(`${adCount} ads added, one of them twice, to ${redis.url}`);
console.log(`the service: ${server.url}/__mock/`);

const promptOf = (jobId: string): string | undefined => {
  const prompt = server.service.jobs.inspect(jobId)?.request["prompt"];
  return typeof prompt === "string" ? prompt : undefined;
};

let killed = false;
let last = "";
for (;;) {
  const counts: Record<string, number> = { waiting: 0, submitting: 0, looking: 0, completed: 0 };
  for (const submission of await Promise.all(ids.map((id) => queue.get(id)))) {
    const state = submission?.state ?? "missing";
    counts[state] = (counts[state] ?? 0) + 1;
  }
  const line = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`);
  if (line.join() !== last) console.log(line.join(", "));
  last = line.join();
  if (!killed && server.service.jobs.all.length > adCount / 4) {
    killed = true;
    const [victim] = workers;
    victim?.kill("SIGKILL");
    workers[0] = startWorker();
    console.log(`killed worker ${victim?.pid} with SIGKILL, and started another`);
  }
  for (const { id, candidates = [], isComplete } of await queue.listHeld()) {
    console.log(`${id} is unknown: its worker died. Candidates: ${candidates.length}`);
    // A person would look at their pictures. Here the mock knows who asked for them.
    const own = candidates.find(({ job_id }) => promptOf(job_id)?.endsWith(id));
    if (own === undefined && !isComplete) {
      throw new Error("The list of jobs is too short to say that there is none");
    }
    await queue.decide(id, own === undefined ? "resubmit" : { jobId: own.job_id });
  }
  if (counts["completed"] === adCount) break;
  await pause(250);
}

const { ledger } = server.service.account("test-key");
const charges = ledger.filter(({ reason }) => reason === "charge");
const paid = charges.map(({ jobId }) => promptOf(String(jobId)));
console.log(`the service charged ${paid.length} times, for ${new Set(paid).size} different ads`);

for (const worker of workers) worker.kill();
await queue.close();
await server.close();
await redis.close();
