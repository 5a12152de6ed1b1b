// Makes an ad for each row of a file, at most eight at once, and each once. When the program was
// killed, or the credits ran out, run it again: it goes on with the rows that are left.
import { readFile, writeFile } from "node:fs/promises";
import { createClient, submitMany } from "adgen-sdk";
import { createSubmissions } from "adgen-sdk/submissions";
import { openFileStore } from "adgen-sdk/submissions/file";

const folder = process.env["STATE_DIRECTORY"] ?? ".";
const text = await readFile(`${folder}/rows.json`, "utf8");
const rows: { id: string; prompt: string }[] = JSON.parse(text);
const store = await openFileStore(`${folder}/submissions`);
const submissions = createSubmissions(store);
const client = createClient({ submissions });
const requests = rows.map(({ prompt }) => ({ action: "generate-ad", prompt }) as const);
const once = (_: unknown, index: number) => `row-${rows[index]?.id}`;
const results = submitMany(client, requests, { maxOpenJobs: 8, once });
for await (const { index, ok, data, error } of results) {
  if (ok) await writeFile(`${folder}/${once(data, index)}.json`, JSON.stringify(data));
  else console.log(once(data, index), error.code);
}
await store.close();
