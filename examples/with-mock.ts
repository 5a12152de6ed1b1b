// Lets the other examples run without the service: starts a mock of it on a free port of this
// machine, and puts its address into the environment, where `createClient()` looks for it.
//
//   npm run example examples/generate-an-ad.ts
import { createMockService } from "adgen-sdk/mocks";
import { serveMock } from "./demo/serve.ts";

const service = createMockService({ timeline: { queuedMs: 500, processingMs: 1_000 } });
const { url, server } = await serveMock(service);
server.unref(); // the process ends when the example does

process.env["ADGEN_BASE_URL"] = url;
process.env["ADGEN_API_KEY"] = "test-key";
