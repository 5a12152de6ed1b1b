import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { stripTypeScriptTypes } from "node:module";
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

interface Use {
  readonly consumer: string;
  readonly flags?: readonly string[];
  /** Names of scripts, and the lines that they print. */
  readonly says: Readonly<Record<string, string>>;
}

/** Writes a module as CommonJS: it requires what it imports. */
const toCommonJs = (module: string): string =>
  module
    .replaceAll(/^import (?:\* as )?([^;]+) from (".+");$/gm, "const $1 = require($2);")
    .replaceAll(/^import (".+");$/gm, "require($1);")
    .replaceAll(/^export const (\w+)\s+=/gm, "const $1 = exports.$1 =");

/** Runs scripts as a user's own files, one after the other in one process. */
const runScripts = ({ consumer, flags = [], says }: Use, kind: "esm" | "cjs") => {
  const folder = join(consumer, kind);
  const [ending, load] = kind === "esm" ? ["mjs", "await import"] : ["cjs", "require"];
  const all = Object.keys(says).map((script) => {
    const module = stripTypeScriptTypes(readFileSync(`test/packaging/${script}.ts`, "utf8"));
    writeFileSync(
      join(folder, `${script}.${ending}`),
      kind === "esm" ? module : toCommonJs(module),
    );
    return `console.log(await (${load}("./${script}.${ending}")).use("${baseUrl}", "${folder}"));`;
  });
  writeFileSync(join(folder, `all.${ending}`), `(async () => {\n${all.join("\n")}\n})();\n`);
  return runNode(folder, [...flags, `all.${ending}`]);
};

const printed = (stdout: string) => ({ status: 0, stdout, stderr: "" });

/** As workers of Cloudflare run, and pages with a strict Content-Security-Policy. */
const strict = ["--disallow-code-generation-from-strings"];

const uses: [title: string, use: Use][] = [
  [
    "alone, without code from strings",
    {
      consumer: plain,
      flags: strict,
      says: {
        "use-client": "queued, completed, queued",
        "use-files": "1,-1.svg,.svg,image/svg+xml,<svg/>,invalid_request",
        "use-assumed": "1080,5,string,Acme,red,true",
        "use-submissions": "completed,true",
        "use-proxy": "completed,not_found,config",
        "use-server": "completed,1,1,2,image/svg+xml,200,true",
        "use-browser": "setupMockWorker was called outside a browser",
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
  ["with msw 3", { consumer: withMsw, says: { "use-msw": "completed, 1" } }],
  ["with msw 2", { consumer: withMsw2, says: { "use-msw": "completed, 1" } }],
];

describe.each(["esm", "cjs"] as const)("installed and used as %s", (kind) => {
  test.each(uses)("%s", async (_, use) => {
    const lines = Object.values(use.says).map((line) => `${line}\n`);
    expect(await runScripts(use, kind)).toEqual(printed(lines.join("")));
  });
});

test("importing it changes nothing, and needs no process", async () => {
  const program = readFileSync("test/packaging/watch-imports.mjs", "utf8");
  const run = ["--input-type=module", "--eval", program];
  const { status, stdout, stderr } = await runNode(plain, run);
  expect([status, stderr]).toEqual([0, ""]);
  const { changed, added } = JSON.parse(stdout);
  expect(changed).toEqual([]);
  expect(added.filter((name: string) => !name.startsWith("__zod_"))).toEqual([]);
});
