import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { consumerFile, consumers } from "./consumers.ts";
import { runNode } from "./run.ts";

const packed = inject("packed");
const { plain } = packed;

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
  module
    .replaceAll(/^import (?:\* as )?([^;]+) from (".+");$/gm, "const $1 = require($2);")
    .replaceAll(/^import (".+");$/gm, "require($1);")
    .replaceAll(/^export const (\w+)\s+=/gm, "const $1 = exports.$1 =");

/** As workers of Cloudflare run, and pages with a strict Content-Security-Policy. */
const strict = "--disallow-code-generation-from-strings";

/** Runs consumers as a user's own files, one after the other in one process. */
const runScripts = (at: string, names: readonly string[], kind: "esm" | "cjs") => {
  const folder = join(at, kind);
  const [ending, load] = kind === "esm" ? ["mjs", "await import"] : ["cjs", "require"];
  const all = names.map((name) => {
    const module = stripTypeScriptTypes(readFileSync(consumerFile(name), "utf8"));
    writeFileSync(join(folder, `${name}.${ending}`), kind === "esm" ? module : toCommonJs(module));
    return `console.log(await (${load}("./${name}.${ending}")).use("${baseUrl}", "${folder}"));`;
  });
  writeFileSync(join(folder, `all.${ending}`), `(async () => {\n${all.join("\n")}\n})();\n`);
  return runNode(folder, [...(at === plain ? [strict] : []), `all.${ending}`]);
};

const places = [...new Set(Object.values(consumers).flatMap(({ at }) => at))];

describe.each(["esm", "cjs"] as const)("installed and used as %s", (kind) => {
  test.each(places)("%s", async (place) => {
    const running = Object.entries(consumers).filter(
      ([, { at, prints }]) => at.includes(place) && prints !== undefined,
    );
    const ended = await runScripts(
      packed[place],
      running.map(([name]) => name),
      kind,
    );
    const stdout = running.map(([, { prints }]) => `${prints}\n`).join("");
    expect(ended).toEqual({ status: 0, stdout, stderr: "" });
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
