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

/** Writes a module as CommonJS: it requires what it imports, and exports its end. */
const toCommonJs = (module: string): string =>
  `module.exports = (async () => {\n${module.replaceAll(/^import (?:\* as )?(.+) from (".+");$/gm, "const $1 = require($2);")}})();`;

/** Runs scripts as a consumer's own files, one after the other in one process. */
const runScripts = (
  consumer: string,
  scripts: readonly string[],
  kind: "esm" | "cjs",
  nodeFlags: readonly string[] = [],
) => {
  const folder = join(consumer, kind);
  for (const script of scripts) {
    const module = readFileSync(`test/packaging/${script}.mjs`, "utf8");
    if (kind === "esm") writeFileSync(join(folder, `${script}.mjs`), module);
    else writeFileSync(join(folder, `${script}.cjs`), toCommonJs(module));
  }
  const all =
    kind === "esm"
      ? scripts.map((script) => `await import("./${script}.mjs");`)
      : scripts.map((script) => `await require("./${script}.cjs");`);
  const file = kind === "esm" ? "all.mjs" : "all.cjs";
  writeFileSync(join(folder, file), `(async () => {\n${all.join("\n")}\n})();\n`);
  return runNode(folder, [...nodeFlags, file, baseUrl]);
};

const printed = (stdout: string) => ({ status: 0, stdout, stderr: "" });

/** As workers of Cloudflare run, and pages with a strict Content-Security-Policy. */
const strict = ["--disallow-code-generation-from-strings"];

interface Use {
  readonly consumer: string;
  readonly flags?: readonly string[];
  /** Names of scripts, and the lines that they print. */
  readonly says: Readonly<Record<string, string>>;
}

const uses: [title: string, use: Use][] = [
  [
    "alone, without code from strings",
    {
      consumer: plain,
      flags: strict,
      says: {
        "use-client": "queued, completed",
        "use-mocks": "queued",
        "use-submissions": "1,completed,true",
        "use-proxy": "completed,1080,not_found,config",
        "use-server": "completed,image/svg+xml,200",
        "use-browser": "setupMockWorker was called outside a browser",
        "use-playwright": "apiKey,mock account,baseURL,context,mock",
      },
    },
  ],
  [
    "with the user's schemas, though another zod is inside",
    { consumer: withSchemas, says: { "use-schemas": "zod,zod/mini,valibot,arktype" } },
  ],
  [
    "with BullMQ",
    { consumer: withBullmq, says: { "use-bullmq": "config: createProcessor needs a client" } },
  ],
  ["with msw 3", { consumer: withMsw, says: { "use-msw": "queued", "use-node": "completed" } }],
  ["with msw 2", { consumer: withMsw2, says: { "use-msw": "queued", "use-node": "completed" } }],
];

describe.each(["esm", "cjs"] as const)("installed and used as %s", (kind) => {
  test.each(uses)("%s", async (_, { consumer, flags, says }) => {
    const lines = Object.values(says).map((line) => `${line}\n`);
    const ended = await runScripts(consumer, Object.keys(says), kind, flags);
    expect(ended).toEqual(printed(lines.join("")));
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
  const { status, stdout, stderr } = await runScripts(plain, ["watch-imports"], "esm");
  expect([status, stderr]).toEqual([0, ""]);
  const { changed, added } = JSON.parse(stdout);
  expect(changed).toEqual([]);
  expect(added.filter((name: string) => !name.startsWith("__zod_"))).toEqual([]);
});
