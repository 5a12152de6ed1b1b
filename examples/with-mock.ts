// Lets the other examples run without the service. Starts a mock of it on a free port of this
// machine, and puts its address into the environment, where `createClient()` looks for it.
//
//   npm run example examples/generate-an-ad.ts
import { readdirSync } from "node:fs";
import { startMockServer } from "adgen-sdk/mocks/server";

if (process.argv[1] === undefined) {
  const files = readdirSync(import.meta.dirname).filter((name) => /^[\w-]+\.ts$/.test(name));
  const examples = files.filter((name) => name !== "with-mock.ts").sort();
  console.error("Which example? The mock is ready for each of these:\n");
  for (const name of examples) console.error(`  npm run example examples/${name}`);
  console.error("\nThe scripts in examples/tasks run in the same way.");
  process.exit(2);
}

const server = await startMockServer({ timeline: { queuedMs: 500, processingMs: 1_000 } });
server.unref(); // the process ends when the example does

process.env["ADGEN_BASE_URL"] = server.url;
process.env["ADGEN_API_KEY"] = "test-key";
