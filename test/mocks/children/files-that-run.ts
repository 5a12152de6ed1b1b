// Prints the files of the mock, and the functions in them, that run for a warm submission by MSW.
import { Session } from "node:inspector/promises";
import { setupServer } from "msw/node";
import { createMockService } from "../../../mocks/index.ts";
import { createHandlers } from "../../../mocks/msw/index.ts";

// A folder above may be called src as well.
const root = new URL("../../../", import.meta.url).href;

const server = setupServer(...createHandlers(createMockService()));
server.listen();
const headers = { authorization: "Bearer test-key" };
const body = JSON.stringify({ action: "generate-ad", prompt: "Summer sale" });
const submit = async () =>
  (await fetch("https://ads.test/v1/jobs", { method: "POST", headers, body })).text();
for (let count = 0; count < 5; count += 1) await submit();

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
await submit();
const { result } = await session.post("Profiler.takePreciseCoverage");
for (const { url, functions } of result) {
  const file = url.startsWith(root) ? url.slice(root.length - 1) : "";
  const ran = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0));
  if (!/^\/(mocks|src)\//.test(file) || ran.length === 0) continue;
  console.log(JSON.stringify([file, ran.length]));
}
process.exit();
