// Submits a job in each round, from a timer that was due while the process was stopped.
import { createClient, toResult } from "../../../src/client/index.ts";

const [url = "", rounds = ""] = process.argv.slice(2);
const client = createClient({ baseUrl: url, apiKey: "test-key", maxRetries: 0 });

/** Tells the parent to stop the process, and waits for a timer that is due meanwhile. */
const freeze = async (): Promise<void> => {
  console.log("idle");
  await new Promise((resolve) => setTimeout(resolve, 200));
};

for (let round = 0; round < Number(rounds); round++) {
  await client.jobs.list({}, { maxRetries: 2 }); // opens a connection, or keeps the one that is there
  await freeze();
  const { data, error } = await toResult(client.jobs.submit({ action: "generate-ad" }));
  console.log(data?.status ?? `${error?.code} ${error?.outcome}`);
}
