// Submits through the proxy of the environment, and prints how that ended.
import { spawnSync } from "node:child_process";
import { createClient, toResult } from "../../../src/index.ts";

const [proxy = ""] = process.argv.slice(2);

if (process.env["NODE_USE_ENV_PROXY"] === undefined) {
  // Node reads these at its start.
  const env = { ...process.env, NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: proxy, NO_PROXY: "" };
  spawnSync(process.execPath, process.argv.slice(1), { env, stdio: "inherit" });
} else {
  const client = createClient({ baseUrl: "https://ads.test", apiKey: "test-key", maxRetries: 0 });
  const { error } = await toResult(client.jobs.submit({ action: "generate-ad" }));
  console.log(`${error?.code} ${error?.outcome} ${error?.attempts}`);
}
