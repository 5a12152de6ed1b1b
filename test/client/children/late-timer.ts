// Makes one call, blocks the event loop beyond its timeout when told to, and prints how it ended.
import { createClient, toResult } from "../../../src/client/index.ts";

const [url = "", place = "", holdMs = ""] = process.argv.slice(2);

/** Stops the loop without using the processor, which other tests need. */
const block = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(holdMs));
};

// The parent writes a line when the request has arrived.
process.stdin.once("data", () => void (place === "setImmediate" && setImmediate(block)));

const client = createClient({ baseUrl: url, apiKey: "test-key", timeoutMs: 800, maxRetries: 0 });
const startedAt = performance.now();
const ended = toResult(client.jobs.submit({ action: "generate-ad" }));
if (place === "the call itself") block();
const { data, error } = await ended;
console.log(
  `${data?.job_id ?? error?.code} ${error?.outcome} ${Math.round(performance.now() - startedAt)}`,
);
process.stdin.destroy();
