// A fleet to watch: 3 workers in processes of their own, 30 ads, and a worker that is killed.
//
//   npm run build && npx node examples/fleet/main.ts
import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startMockServer } from "adgen-sdk/mocks/server";
import { openQueue, openSubmissions } from "./open.ts";
import { openRedis } from "./redis.ts";

const adCount = 30;
const redis = await openRedis();
process.env["REDIS_URL"] = redis.url;
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
        ADGEN_BASE_URL: server.url,
        ADGEN_API_KEY: "test-key",
      },
    },
  );
const workers = [startWorker(), startWorker(), startWorker()];

// A name of its own for each run: the store remembers all ids.
const run = Date.now().toString(36);
const ids = Array.from({ length: adCount }, (_, index) => `${run}-ad-${index + 1}`);
const queue = openQueue();
const { submissions, close } = await openSubmissions();
const add = (id: string) => {
  const request = { action: "generate-ad", prompt: `Summer sale, ${id}` } as const;
  return queue.add("ad", { request }, { jobId: id });
};
for (const id of [...ids, `${run}-ad-1`]) await add(id);
console.log(`${adCount} ads added, one of them twice, to ${redis.url}`);
console.log(`the service: ${server.url}/__mock/`);

const promptOf = (jobId: string): string | undefined => {
  const prompt = server.service.jobs.inspect(jobId)?.request["prompt"];
  return typeof prompt === "string" ? prompt : undefined;
};

let killed = false;
let last = "";
for (;;) {
  const counts = await queue.getJobCounts("prioritized", "active", "delayed", "completed");
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
  for (const job of await queue.getFailed()) {
    const { doubt } = job.data;
    if (doubt === undefined) throw new Error(job.failedReason);
    const { candidates = [] } = doubt;
    console.log(`${job.id} is in doubt: its worker died. Candidates: ${candidates.length}`);
    // A person would look at their pictures. Here the mock knows who asked for them.
    const own = candidates.find(({ job_id }) => promptOf(job_id)?.endsWith(doubt.id));
    await submissions.decide(doubt, own === undefined ? "resubmit" : { adopt: own });
    await job.retry();
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
close();
await server.close();
await redis.close();
