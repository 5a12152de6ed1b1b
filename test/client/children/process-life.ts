// Makes one call, prints how it ended, and leaves it to Node whether the process goes on.
import { createClient, toResult } from "../../../src/index.ts";

const [url = "", scenario] = process.argv.slice(2);
const client = createClient({ baseUrl: url, apiKey: "test-key" });
const fetch = () => new Promise<Response>(() => {});
const deaf = createClient({ baseUrl: url, apiKey: "test-key", fetch });

const scenarios: Record<string, () => Promise<unknown>> = {
  answer: () => client.jobs.get("j"),
  retry: () => client.jobs.get("j"),
  timeout: () => client.jobs.get("j", { timeoutMs: 300 }),
  "deaf fetch": () => deaf.jobs.get("j", { timeoutMs: 300 }),
  abort: () => client.jobs.get("j", { signal: AbortSignal.timeout(300) }),
  "abort in a wait": () => client.jobs.get("j", { signal: AbortSignal.timeout(300) }),
};

const result = await toResult(scenarios[scenario ?? ""]?.() ?? Promise.resolve("no scenario"));
console.log(result.ok ? "ok" : `${result.error.code} ${result.error.attempts}`);
