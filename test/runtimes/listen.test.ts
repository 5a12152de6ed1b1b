import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { bunPath, denoPath, runtimeMissing } from "../../tools/runtimes.ts";
import { listen } from "../helpers/http-server.ts";

interface Said {
  readonly before: string;
  readonly listening: string;
  readonly after: string;
}

const folder = resolve(`.tmp/runtimes/${process.env["VITEST_POOL_ID"]}`);
const program = `${folder}/listen.mjs`;
const denoFlags = ["run", "--quiet", "--no-prompt", "--allow-all", "--node-modules-dir=manual"];

/** Variables of this machine, such as a proxy's, would change the runtimes' `fetch`. */
const env = { DENO_DIR: `${folder}/deno`, DENO_NO_UPDATE_CHECK: "1", NODE_NO_WARNINGS: "1" };

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [`${import.meta.dirname}/listen-in-process.ts`],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["msw"],
    alias: { "adgen-sdk": resolve("src/index.ts") },
  });
});

/** Runs the program with a server where the real service would be; no request may reach it. */
const run = async (file: string, flags: readonly string[]): Promise<Said> => {
  const real = await listen((response) => response.end("{}"));
  const args = [...flags, program, real.url];
  const { stdout } = await promisify(execFile)(file, args, { env, timeout: 20_000 });
  expect(real.received).toEqual([]);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
};

const notYet = expect.stringContaining("it does not listen yet");

test("Node pays the mock, after listen and not before", async () => {
  const said = await run(process.execPath, []);
  expect(said).toEqual({ before: notYet, listening: "listens", after: "202" });
});

const others = [
  { name: "Bun", path: bunPath, flags: ["run"] },
  { name: "Deno", path: denoPath, flags: denoFlags },
];

for (const { name, path, flags } of others) {
  if (path === undefined) {
    if (process.env["CI"]) throw new Error(runtimeMissing(name));
    console.warn(runtimeMissing(name));
    continue;
  }
  describe(`where MSW intercepts nothing, as in ${name},`, () => {
    test("listen says so, and nothing reaches the real service", async () => {
      const { before, listening, after } = await run(path, flags);
      expect(before).toEqual(notYet);
      expect(listening).toMatch(`The mock does not listen, because MSW cannot intercept`);
      expect(listening).toMatch(name);
      expect(listening).toMatch("docs/testing/bun-and-deno.md");
      expect(after).toMatch(/cannot intercept|it does not listen yet/);
    });
  });
}
