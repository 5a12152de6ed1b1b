/** A process whose proxy shares a file with others. It submits at once, and prints the answers. */
import { createProxy } from "../../../src/proxy/index.ts";
import { openFileStore } from "../../../src/submissions/file.ts";

const [path = "", baseUrl = "", count = "", maxJobs = ""] = process.argv.slice(2);

const store = await openFileStore(path);
const failures: string[] = [];
const proxy = createProxy({
  baseUrl,
  apiKey: "test-key",
  authorize: () => "ann",
  store,
  limits: { day: { jobs: Number(maxJobs) } },
  hooks: { onError: ({ part, error }) => failures.push(`${part}: ${error}`) },
});

const submit = async (_: unknown, index: number): Promise<number> => {
  const request = new Request("http://page.test/adgen/v1/jobs", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": `${process.pid}-${index}`,
    },
    body: JSON.stringify({ action: "generate-ad", prompt: `${process.pid}-${index}` }),
  });
  return (await proxy(request)).status;
};
const statuses = await Promise.all(Array.from({ length: Number(count) }, submit));
await store.close();
console.log(JSON.stringify({ statuses, failures }));
