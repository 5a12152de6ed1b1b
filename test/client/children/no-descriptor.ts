// Opens files until no descriptor is left, submits a job, and prints how that ends.
import { openSync } from "node:fs";
import { createClient, toResult } from "../../../src/client/index.ts";

const [baseUrl = ""] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey: "test-key", maxRetries: 0 });
await fetch("data:,"); // loads what `fetch` needs
await new Promise((resolve) => setTimeout(resolve, 300)); // Node closes what it has loaded

const fill = (): unknown => {
  try {
    for (;;) openSync("/dev/null", "r");
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};
const code = fill();
const { error } = await toResult(client.jobs.submit({ action: "generate-ad" }));
const cause = error?.cause as { code?: unknown };
console.log(`${code}: ${error?.code} ${error?.outcome} ${cause?.code}`);
