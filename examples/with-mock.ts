// Lets the other examples run without the service: starts a mock of it on a free port, and puts its
// address into the environment, where `createClient()` looks for it.
//
//   npm run example examples/make-ads.ts
import { startMockServer } from "adgen-sdk/mocks/server";

const server = await startMockServer({ timeline: { queuedMs: 500, processingMs: 1_000 } });
server.unref(); // the process ends when the example does

process.env["ADGEN_BASE_URL"] = server.url;
process.env["ADGEN_API_KEY"] = "test-key";
