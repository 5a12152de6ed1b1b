/** A user who keeps submissions. */
import { createClient, findLostJobs, isAdGenError, StoreError } from "adgen-sdk";
import {
  createMemoryStore,
  createRedisStore,
  createSubmissions,
  type RecordStore,
  recoverJobs,
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
  const job = await client.jobs.submitAndPoll(request, { once: "order-17" });
  await store.close();
  const refused = await openFileStore(folder).catch((error) => error);
  return [job.status, refused instanceof StoreError].join();
};

export const recover = async (kind: "own" | "memory" | "file"): Promise<number> => {
  const stores = { own, memory: createMemoryStore(), file: await openFileStore("submissions") };
  const submissions = createSubmissions(stores[kind], { onLateJob: ({ jobId }) => void jobId });
  const client = createClient({ submissions });
  const { unknown } = await recoverJobs(client, { candidateLimit: 50 });
  for (const doubt of unknown) {
    const [adopt] = doubt.candidates ?? [];
    await submissions.decide(doubt, adopt === undefined ? "resubmit" : { adopt });
  }
  try {
    const request = { action: "generate-ad", prompt: "Sun" } as const;
    await client.jobs.submit(request, { once: "order-17" });
  } catch (error) {
    if (!isAdGenError(error) || error.code !== "in_doubt") throw error;
    await createSubmissions(redis).decide(error.doubt, "drop");
  }
  const { candidates } = await findLostJobs(client, new Error("lost"), { limit: 5 });
  return candidates.length;
};
