// Makes an ad for each row of a CSV file, at most eight at once, and each row once. After Ctrl-C,
// a kill, an empty account or a change of the file, run it again: it goes on with what is left.
//
//   node batch-from-csv.ts rows.csv     its lines: an id, a comma, the prompt
import { readFile } from "node:fs/promises";
import { createClient, submitMany } from "adgen-sdk";
import { createSubmissions } from "adgen-sdk/submissions";
import { openFileStore } from "adgen-sdk/submissions/file";

const folder = process.env["STATE_DIRECTORY"] ?? ".";
const text = await readFile(process.argv[2] ?? `${folder}/rows.csv`, "utf8");
// A line that isn't understood stops the program before anything is paid.
const rows = text.split(/\r?\n/).flatMap((line, index) => {
  if (line.trim() === "" || (index === 0 && line === "id,prompt")) return [];
  const [, id, quoted, plain] = /^([\w-]+),(?:"((?:[^"]|"")+)"|([^"].*))$/.exec(line) ?? [];
  const prompt = quoted?.replaceAll('""', '"') ?? plain;
  if (id && prompt) return [{ id, prompt }];
  throw new Error(`Line ${index + 1} must be an id, a comma and a prompt: ${line}`);
});

const store = await openFileStore(`${folder}/submissions`);
// All runs together may spend this much, whatever the file contains.
const budget = { month: { imageCredits: 200 } };
const client = createClient({ submissions: createSubmissions(store, { budget }) });

const requests = rows.map(({ prompt }) => ({ action: "generate-ad", prompt }) as const);
// A changed prompt under the same id is refused: give the row a new id to pay for it.
const once = (_: unknown, index: number): string => `row-${rows[index]?.id}`;
const results = submitMany(client, requests, { maxOpenJobs: 8, once });
// Ends the loop below: nothing more is sent, and the loop waits for the answers under way. Aborting
// a `signal` instead would leave those submissions in doubt.
const leave = (): void => void results.return?.();
process.once("SIGINT", leave);
let finished = 0;
for await (const { index, ok, data, error } of results) {
  if (ok) finished += 1;
  console.log(
    rows[index]?.id,
    ok ? data.status : `${error.code}, ${error.outcome}: ${error.message}`,
  );
}
process.removeListener("SIGINT", leave);
await store.close();
// `npx adgen-submissions` lists what is in doubt, and decides about it.
const left = rows.length - finished;
if (left > 0) {
  console.log(`${left} rows are left: run it again`);
  process.exitCode = 1;
}
