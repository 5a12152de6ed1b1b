// Makes one call, blocks its loop over the call's timeout when it is told to, and prints the end.
import { readFile } from "node:fs";
import { createClient, toResult } from "../../../src/index.ts";

const [url = "", place = "", holdMs = ""] = process.argv.slice(2);

/** Stops the loop without using the processor, which other tests need. */
const block = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(holdMs));
};

/** Places in which a program may block its loop. */
const places: Record<string, () => void> = {
  "a timer": () => void setTimeout(block, 0),
  setImmediate: () => void setImmediate(block),
  "an I/O callback": () => readFile(import.meta.filename, block),
};

// The parent writes a line when the request has arrived.
process.stdin.once("data", () => places[place]?.());

const client = createClient({ baseUrl: url, apiKey: "test-key", timeoutMs: 800, maxRetries: 0 });
const startedAt = performance.now();
const ended = toResult(client.jobs.submit({ action: "generate-ad" }));
if (place === "the call itself") block();
const { ok, data, error } = await ended;
const ms = Math.round(performance.now() - startedAt);
console.log(JSON.stringify(ok ? { id: data.job_id, ms } : { code: error.code, ms }));
process.stdin.destroy();
