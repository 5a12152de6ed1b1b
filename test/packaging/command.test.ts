import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { bunPath, denoPath } from "../../tools/runtimes.ts";

const { plain, tarball } = inject("packed");
const installed = join(plain, "node_modules", "adgen-sdk");
const command = join(installed, "dist", "mocks", "cli.js");

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/__mock/clock`).then(
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

  it.skipIf(bunPath === undefined)("is one file by the recipe for Bun", async () => {
    const folder = await mkdtemp(join(tmpdir(), "adgen-bun-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const recipes = await readFile(join(installed, "docs", "guides", "recipes.md"), "utf8");
    const [, words = ""] = /^bun (build --compile \S+ --outfile) adgen-mock$/m.exec(recipes) ?? [];
    const file = join(folder, "adgen-mock");
    await promisify(execFile)(bunPath ?? "", [...words.split(" "), file], { cwd: plain });
    const server = spawn(file, ["--port", "0"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void server.kill("SIGKILL"));
    let output = "";
    for (const stream of [server.stdout, server.stderr]) {
      stream.on("data", (part) => (output += part));
    }
    const patience = { timeout: 150_000, interval: 50 };
    await vi.waitFor(() => expect(output).toContain("ADGEN_API_KEY"), patience);
    const url = /listens on (\S+)/.exec(output)?.[1] ?? "";
    expect(await answers(url)).toBe(true);
    expect(await (await fetch(`${url}/__mock/`)).text()).toContain("<title>Ad Generation");
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
