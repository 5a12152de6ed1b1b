import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { runNode } from "./run.ts";

const { plain, withBullmq, withMsw, withMsw2, withSchemas } = inject("packed");

/** A service that accepts every job, and has completed it by the first poll. */
const server = createServer((request, response) => {
  const isSubmit = request.method === "POST";
  const data = { job_id: "job_1", status: isSubmit ? "queued" : "completed", result: {} };
  response.writeHead(isSubmit ? 202 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify({ success: true, data, error: null }));
});
let baseUrl = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

/** Writes a module as CommonJS: it requires what it imports. */
const toCommonJs = (module: string): string =>
  `void (async () => {\n${module.replaceAll(/^import (?:\* as )?(.+) from (".+");$/gm, "const $1 = require($2);")}})();`;

/** Runs a script as a consumer's own file, by `import` or by `require`. */
const runScript = (
  consumer: string,
  script: string,
  kind: "esm" | "cjs",
  nodeFlags: readonly string[] = [],
) => {
  const folder = join(consumer, kind);
  const file = kind === "esm" ? `${script}.mjs` : `${script}.cjs`;
  const module = readFileSync(`test/packaging/${script}.mjs`, "utf8");
  writeFileSync(join(folder, file), kind === "esm" ? module : toCommonJs(module));
  return runNode(folder, [...nodeFlags, file, baseUrl]);
};

const printed = (stdout: string) => ({ status: 0, stdout, stderr: "" });

const strict = ["--disallow-code-generation-from-strings"];

const uses: [what: string, consumer: string, script: string, says: string, flags?: string[]][] = [
  ["the client submits a job and waits for it", plain, "use-client", "queued, completed"],
  ["the client runs without code from strings", plain, "use-client", "queued, completed", strict],
  ["the mock answers the client without msw", plain, "use-mocks", "queued", strict],
  ["a store in a file keeps, and is open once", plain, "use-submissions", "1,completed,true"],
  [
    "a user's schemas work, though another zod is inside",
    ...([withSchemas, "use-schemas", "zod,zod/mini,valibot,arktype"] as const),
  ],
  [
    "the proxy tells owners apart, and ready schemas type what comes through it",
    ...([plain, "use-proxy", "completed,1080,not_found,config", strict] as const),
  ],
  [
    "the mock server answers over HTTP, and is steered over HTTP",
    ...([plain, "use-server", "completed,image/svg+xml,200"] as const),
  ],
  [
    "code for a page can be imported without a browser",
    ...([plain, "use-browser", "setupMockWorker was called outside a browser"] as const),
  ],
  [
    "the fixtures for Playwright name what they need, where Playwright is not installed",
    ...([plain, "use-playwright", "apiKey,mock account,baseURL,context,mock"] as const),
  ],
  [
    "the fleet loads where BullMQ is installed",
    ...([withBullmq, "use-bullmq", "config: createProcessor needs a client"] as const),
  ],
  ["the mock takes the place of the network, with msw 3", withMsw, "use-node", "completed"],
  ["the mock takes the place of the network, with msw 2", withMsw2, "use-node", "completed"],
  ["the handlers answer the client through msw 3", withMsw, "use-msw", "queued"],
  ["the handlers answer the client through msw 2", withMsw2, "use-msw", "queued"],
];

describe.each(["esm", "cjs"] as const)("installed and used as %s", (kind) => {
  test.each(uses)("%s", async (_, consumer, script, says, flags) => {
    expect(await runScript(consumer, script, kind, flags)).toEqual(printed(`${says}\n`));
  });
});

test("the command tells its version and its options", async () => {
  const command = join(plain, "node_modules/adgen-sdk/dist/mocks/cli.js");
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(await runNode(plain, [command, "--version"])).toEqual(printed(`${version}\n`));
  const { stdout } = await runNode(plain, [command, "--help"]);
  expect(stdout).toContain("--image-credits");
  const refused = await runNode(plain, [command, "--prot", "1"]);
  expect([refused.status, refused.stdout]).toEqual([2, ""]);
  expect(refused.stderr).toContain("--prot");
});

test("importing it changes nothing, and needs no process", async () => {
  const { status, stdout, stderr } = await runScript(plain, "watch-imports", "esm");
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const { changed, added } = JSON.parse(stdout);
  expect(changed).toEqual([]);
  expect(added.filter((name: string) => !name.startsWith("__zod_"))).toEqual([]);
});
