import { execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { bunPath, denoPath } from "../../tools/runtimes.ts";

const { plain, tarball } = inject("packed");
const installed = join(plain, "node_modules", "adgen-sdk");
const command = join(installed, "dist", "mocks", "cli.js");

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/__mock/health`).then(
    ({ ok }) => ok,
    () => false,
  );

describe("adgen-mock", () => {
  it.skipIf(denoPath === undefined)("tells its version in Deno without any right", async () => {
    const { version } = await import(join(installed, "package.json"), { with: { type: "json" } });
    const args = ["run", "--no-prompt", command, "--version"];
    const { stdout } = await promisify(execFile)(denoPath ?? "", args);
    expect(stdout).toBe(`${version}\n`);
  });

  it("runs by npx in any folder, and ends with npx", async () => {
    const folder = await mkdtemp(join(tmpdir(), "adgen-npx-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const npm = process.env["npm_execpath"] ?? "";
    const asked = ["exec", "--yes", "--offline", `--package=${tarball}`, "--"];
    const args = [npm, ...asked, "adgen-mock", "--port", "0"];
    const npx = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, npm_config_cache: join(folder, "cache") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [npx.stdout, npx.stderr]) stream.on("data", (part) => (output += part));
    const closed = new Promise((resolve) => npx.on("close", resolve));
    onTestFinished(() => void npx.kill("SIGKILL"));
    await expect.poll(() => output).toContain("ADGEN_API_KEY");
    const url = /listens on (\S+)/.exec(output)?.[1] ?? "";
    expect(await answers(url)).toBe(true);
    npx.kill("SIGTERM");
    await closed;
    expect(await answers(url)).toBe(false);
  });
});

describe("the README's first program", () => {
  const runtimes: readonly [name: string, command: string | undefined, ...args: string[]][] = [
    ["Node", process.execPath],
    ["Bun", bunPath, "run"],
  ];

  it.each(runtimes.filter(([, command]) => command !== undefined))(
    "runs as pasted in %s, against the mock that its lines start",
    async (name, command = "", ...args) => {
      const server = spawn(process.execPath, [join(installed, "dist/mocks/cli.js"), "--port", "0"]);
      onTestFinished(() => void server.kill("SIGKILL"));
      let printed = "";
      server.stdout.on("data", (part) => (printed += part));
      await expect.poll(() => printed).toContain("ADGEN_API_KEY");
      // The two lines that a reader pastes into the other terminal.
      const exported = printed.matchAll(/^export (\w+)=(.*)$/gm);
      const env = Object.fromEntries(Array.from(exported, ([, key, value]) => [key, value]));
      expect(Object.keys(env)).toEqual(["ADGEN_BASE_URL", "ADGEN_API_KEY"]);

      const readme = await readFile(join(installed, "README.md"), "utf8");
      const [, program = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
      // Beside the installed package, in a folder of its own.
      const folder = await mkdtemp(join(plain, `first-${name}-`));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      await writeFile(join(folder, "first.mjs"), program);
      const { stdout } = await promisify(execFile)(command, [...args, join(folder, "first.mjs")], {
        env: { PATH: process.env["PATH"], ...env },
      });
      expect(stdout).toMatch(/^submitted and paid: job_\w+\nqueued\n(processing\n)?completed\n/);
      expect(await readdir(join(folder, "ads"))).toHaveLength(4);
    },
  );
});
