/** A user who keeps submissions. */
import {
  createClient,
  findLostJobs,
  isAdGenError,
  pollJobs,
  recoverJobs,
  StoreError,
} from "adgen-sdk";
import {
  createMemoryStore,
  createRedisStore,
  createSubmissions,
  type RecordStore,
} from "adgen-sdk/submissions";
import { openFileStore } from "adgen-sdk/submissions/file";

const own: RecordStore = {
  get: async () => undefined,
  swap: async () => undefined,
  list: async () => [],
};
const redis = createRedisStore(async (command, ...words) => [command, ...words]);

export const use = async (baseUrl: string, folder: string): Promise<string> => {
  const store = await openFileStore(`${folder}/submissions`);
  const submissions = createSubmissions(store);
  const client = createClient({ baseUrl, apiKey: "test-key", submissions });
  const request = { action: "generate-ad", prompt: "Summer sale" } as const;
  await client.jobs.submit(request, { once: "order-17" });
  await client.jobs.submit(request, { once: "order-17" });
  const { waiting } = await recoverJobs(client);
  const [job] = await pollJobs(client, waiting);
  if (!job?.ok) return String(job?.error);
  await submissions.acknowledge(job.data);
  await store.close();
  const refused = await openFileStore(folder).catch((error) => error);
  return [waiting.length, job.data.status, refused instanceof StoreError].join();
};

export const recover = async (kind: "own" | "memory" | "file"): Promise<number> => {
  const stores = { own, memory: createMemoryStore(), file: await openFileStore("submissions") };
  const submissions = createSubmissions(stores[kind], { onLateJob: ({ jobId }) => void jobId });
  const client = createClient({ submissions });
  const { waiting, unknown } = await recoverJobs(client, { candidateLimit: 50 });
  const jobs = await pollJobs(client, waiting);
  for (const doubt of unknown) {
    const [adopt] = doubt.candidates ?? [];
    await submissions.decide(doubt, adopt === undefined ? "resubmit" : { adopt });
  }
  try {
    const request = { action: "generate-ad", prompt: "Sun" } as const;
    await submissions.acknowledge(await client.jobs.submit(request, { once: "order-17" }));
  } catch (error) {
    if (!isAdGenError(error) || error.code !== "in_doubt") throw error;
    await createSubmissions(redis).decide(error.doubt, "drop");
  }
  const { candidates } = await findLostJobs(client, new Error("lost"), { withinMs: 1_000 });
  return jobs.length + candidates.length;
};
