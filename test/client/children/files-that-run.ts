// Prints, for each of three calls, the files of `src` in which a function ran.
import { Session } from "node:inspector/promises";
import { createClient, pollJob } from "../../../src/client/index.ts";
import { createMemoryStore, createSubmissions } from "../../../src/submissions/index.ts";

// A folder above may be called src as well.
const root = new URL("../../../", import.meta.url).href;

const session = new Session();
session.connect();
await session.post("Profiler.enable");

/** Lists the files that run in a second call. The first call has filled caches. */
const filesOf = async (call: () => Promise<unknown>): Promise<string[]> => {
  await call();
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await call();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  const ran = result.filter(({ functions }) =>
    functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
  );
  return ran.flatMap(({ url }) =>
    url.startsWith(`${root}src/`) ? url.slice(root.length - 1) : [],
  );
};

let jobs = 0;
const fetch = async ({ method }: Request): Promise<Response> => {
  const data = { job_id: `job-${++jobs}`, status: method === "POST" ? "queued" : "completed" };
  return Response.json({ success: true, data, error: null }, { status: 202 });
};
const options = { baseUrl: "http://ads.test", apiKey: "key", fetch };
const plain = createClient(options);
const recorded = createClient({ ...options, submissions: createSubmissions(createMemoryStore()) });
const answer = Response.json({ success: true, data: { status: "completed" }, error: null });
const reader = createClient({ ...options, fetch: async () => answer.clone() });

const request = { action: "generate-ad", prompt: "Summer sale" } as const;
const calls = {
  submit: () => plain.jobs.submit(request),
  once: () => recorded.jobs.submit(request, { once: `order-${jobs}` }),
  pollJob: () => pollJob(reader, "job-1"),
};
for (const [name, call] of Object.entries(calls)) {
  console.log(JSON.stringify([name, await filesOf(call)]));
}
process.exit();
