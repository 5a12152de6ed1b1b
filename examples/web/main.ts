// A studio for ads in a page: React and TanStack Query before a proxy, the mock behind it.
//
//   npm run build && npx node examples/web/main.ts
//
// With --in-page, everything runs in the page.
import { parseArgs } from "node:util";
import { startExample } from "./start.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "4470" },
    "in-page": { type: "boolean", default: false },
  },
});

const { url, mock, close } = await startExample({
  port: Number(values.port),
  inPage: values["in-page"],
});
console.log(`the page:     ${url}`);
if (mock !== undefined) console.log(`the service:  ${mock.url}/__mock/`);
console.log("Ctrl+C ends it.");
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void close());
