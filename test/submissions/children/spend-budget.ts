/** A process that submits pictures until the budget is reached. Other processes share its file. */
import { createClient, toResult } from "../../../src/client/index.ts";
import { openFileStore } from "../../../src/submissions/file.ts";
import { createSubmissions } from "../../../src/submissions/index.ts";

const [path = "", baseUrl = "", name = ""] = process.argv.slice(2);

const store = await openFileStore(path);
const submissions = createSubmissions(store, { budget: { day: { imageCredits: 200 } } });
const client = createClient({ baseUrl, apiKey: "test-key", submissions });

const submitUntilRefused = async (worker: number): Promise<void> => {
  for (let count = 0; ; count++) {
    const request = { action: "generate-ad", prompt: "Summer", variations: 2 } as const;
    // Every second job has no id, and counts too.
    const options = count % 2 === 0 ? { once: `${name}-${worker}-${count}` } : {};
    const { ok, error } = await toResult(client.jobs.submit(request, options));
    if (ok) continue;
    console.log(`${error.code} ${error.outcome}`);
    return;
  }
};

await Promise.all([1, 2, 3].map(submitUntilRefused));
await store.close();
