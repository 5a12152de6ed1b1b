// Makes calls one after the other and prints how each ended. Node decides when the process ends.
import { createClient, pollJob, toResult } from "../../../src/client/index.ts";

const [url = ""] = process.argv.slice(2);
const client = createClient({ baseUrl: url, apiKey: "test-key" });
const fetch = () => new Promise<Response>(() => {});
const deaf = createClient({ baseUrl: url, apiKey: "test-key", fetch });

const calls: Record<string, () => Promise<unknown>> = {
  "a deaf fetch": () => deaf.jobs.get("j", { timeoutMs: 300 }),
  "an answer": () => client.jobs.get("j"),
  "an answer after a wait": () => client.jobs.get("j"),
  silence: () => client.jobs.get("j", { timeoutMs: 300 }),
  "an abort": () => client.jobs.get("j", { signal: AbortSignal.timeout(300) }),
  "an abort in a wait": () => client.jobs.get("j", { signal: AbortSignal.timeout(300) }),
  "a wait for a job": () => pollJob(client, "j", { intervalMs: 100 }),
  "an abort in such a wait": () =>
    pollJob(client, "j", { intervalMs: 60_000, signal: AbortSignal.timeout(300) }),
};

for (const [name, call] of Object.entries(calls)) {
  const { error } = await toResult(call());
  console.log(`${name}: ${error ? `${error.code} ${error.attempts}` : "ok"}`);
}
