// Submits while other code has polluted Object.prototype, repeats it so, and prints what was paid twice.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createClient, isAdGenError } from "../../../src/index.ts";
import { createSubmissions } from "../../../src/submissions/create-submissions.ts";
import { createMemoryStore } from "../../../src/submissions/memory-store.ts";
import { openFileStore } from "../../../src/submissions-file.ts";

const [path = "", folder = ""] = process.argv.slice(2);
const texts = globSync("**/*.ts", { cwd: folder }).map((file) => readFileSync(join(folder, file)));
/** Every field of the types of submissions: where one is missing, it would be read from above. */
const names = new Set(texts.join("\n").match(/(?<=^ +readonly )\w+(?=\??:)/gm));
/** A file takes longer: there, one that is a time to live, too. */
const valuesOf = { memory: [7, true, "refused"], file: [7] };

// The runtime itself breaks by some of them, and does no harm.
process.on("uncaughtException", () => {});

/** Requests that left, by their ids. */
const posts = new Map<string, number>();
const fetch = async (request: Request): Promise<Response> => {
  const { prompt } = JSON.parse(await request.text());
  posts.set(prompt, (posts.get(prompt) ?? 0) + 1);
  if (prompt.startsWith("lost")) throw new Error("reset");
  const data = { job_id: `job of ${prompt}`, status: "queued" };
  return Response.json({ success: true, data, error: null }, { status: 202 });
};

/** Names by which a call fails with what is no error of this library. */
const strange = new Set<string>();

const given = { baseUrl: "http://ads.test", apiKey: "test-key", maxRetries: 0, fetch };
const memory = createMemoryStore();

const submitAll = async (): Promise<void> => {
  const file = await openFileStore(path);
  const stores = { memory, file };
  for (const kind of ["memory", "file"] as const) {
    const client = createClient({ ...given, submissions: createSubmissions(stores[kind]) });
    for (const name of names) {
      if (name in Object.prototype) continue;
      for (const value of valuesOf[kind]) {
        const calls = ["kept", "lost"].map((fate) => {
          const once = `${fate} ${kind} ${name} ${value}`;
          return [{ action: "generate-ad", prompt: once }, { once }] as const;
        });
        Object.defineProperty(Object.prototype, name, {
          value,
          configurable: true,
          writable: true,
        });
        const [kept] = await Promise.allSettled(calls.map((call) => client.jobs.submit(...call)));
        if (kept?.status === "rejected" && !isAdGenError(kept.reason)) strange.add(name);
        Reflect.deleteProperty(Object.prototype, name);
      }
    }
  }
  await file.close();
};

await submitAll();
await pause(2 * 7);
await submitAll();
const twice = [...posts].filter(([, count]) => count > 1);
console.log(JSON.stringify({ submitted: posts.size, twice, strange: [...strange] }));
