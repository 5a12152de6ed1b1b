import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestProject } from "vitest/node";
import { publishedManifest } from "../../tools/manifest.ts";

/** The packed package, and consumers that installed it. */
export interface Packed {
  readonly tarball: string;
  /** Paths inside the package. */
  readonly files: readonly string[];
  /** Has the package, nothing else. */
  readonly plain: string;
  /** Has msw and Playwright too. */
  readonly withMsw: string;
  /** Has the oldest msw that the package accepts. */
  readonly withMsw2: string;
  /** Has BullMQ too. */
  readonly withBullmq: string;
  /** Has libraries for schemas too, zod among them. */
  readonly withSchemas: string;
}

declare module "vitest" {
  interface ProvidedContext {
    packed: Packed;
  }
}

const root = process.cwd();

const writeJson = (path: string, value: unknown): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
};

/** Installs without the network: the package from its tarball, a user's own packages as links. */
const install = (
  folder: string,
  tarball: string,
  packages: Readonly<Record<string, string>>,
): string => {
  const installed = join(folder, "node_modules", "adgen-sdk");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  for (const [name, from] of Object.entries(packages)) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", from), join(folder, "node_modules", name), "junction");
  }
  writeJson(join(folder, "esm", "package.json"), { type: "module" });
  writeJson(join(folder, "cjs", "package.json"), { type: "commonjs" });
  return folder;
};

export default ({ provide }: TestProject): (() => void) => {
  if (!existsSync("dist/index.d.cts"))
    throw new Error("Nothing to pack: npm run build comes first.");
  const npm = process.env["npm_execpath"];
  if (npm === undefined)
    throw new Error("Run this through npm: npx vitest run --project=packaging");
  const folder = mkdtempSync(join(tmpdir(), "adgen-sdk-"));
  // `npm pack` here would change package.json, which other tests read.
  const copy = join(folder, "copy");
  const manifest = readFileSync("package.json", "utf8");
  const { files: named } = JSON.parse(manifest);
  for (const path of [...globSync(named as string[]), "README.md", "LICENSE"]) {
    cpSync(path, join(copy, path), { recursive: true });
  }
  writeFileSync(join(copy, "package.json"), publishedManifest(manifest));
  const output = execFileSync(
    process.execPath,
    [npm, "pack", "--json", "--pack-destination", folder],
    { cwd: copy, encoding: "utf8" },
  );
  const [{ filename, files }] = JSON.parse(output);
  const tarball = join(folder, filename);
  provide("packed", {
    tarball,
    files: files.map(({ path }: { path: string }) => path),
    plain: install(join(folder, "plain"), tarball, {}),
    withMsw: install(join(folder, "with-msw"), tarball, { msw: "msw" }),
    withMsw2: install(join(folder, "with-msw2"), tarball, { msw: "msw2" }),
    withBullmq: install(join(folder, "with-bullmq"), tarball, { bullmq: "bullmq" }),
    withSchemas: install(join(folder, "with-schemas"), tarball, {
      arktype: "arktype",
      valibot: "valibot",
      zod: "zod",
    }),
  });
  return () => rmSync(folder, { recursive: true, force: true });
};
