// Submits a list of requests within limits, saves every id at once, and sums up.
//
//   npm run example examples/many-jobs.ts
import { createClient, type RequestResult, submitMany } from "adgen-sdk";

const client = createClient();
const drinks = ["Lemonade", "Iced tea", "Ginger beer", "Root beer", "Orange juice"];
const requests = drinks.map((prompt) => ({ action: "image-a-2", prompt, variations: 2 }) as const);

// In your program: a database. A job whose id is saved can be waited for again after a crash.
const saved = new Map<string, string>();

const results: RequestResult[] = [];
for await (const result of submitMany(client, requests, {
  concurrency: 2,
  // Checked before anything is sent: a list that is too long by mistake costs nothing.
  maxJobs: 10,
  maxImageCredits: 20,
  onSubmitted: ({ job_id }, index) => saved.set(job_id, drinks[index] ?? ""),
})) {
  results[result.index] = result;
}

for (const { index, ok, data, error } of results) {
  // "not-sent" and "refused" cost nothing. After "unknown", look before you submit again.
  const end = ok ? data.status : `${error.code}, ${error.outcome}`;
  console.log(drinks[index]?.padEnd(14), end);
}
console.log(`saved ${saved.size} ids of jobs`);
