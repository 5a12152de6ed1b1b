import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";

const example = resolve("examples/next");
/** An app as a stranger has it, with the package of this checkout. */
export const appFolder = resolve(".tmp/next");

/** A page beside the example's own. Next.js remembers what a component fetches while it renders. */
export const waitingPage = {
  path: "wait-on-the-server",
  source: `import { createClient, pollJob } from "adgen-sdk";

export default async function Page({ searchParams }: { searchParams: Promise<{ job: string }> }) {
  const { job } = await searchParams;
  const { status } = await pollJob(createClient(), job, { intervalMs: 100, timeoutMs: 20_000 });
  return <p>{\`seen: \${status}\`}</p>;
}
`,
};

const npm = (args: readonly string[], cwd: string): string => {
  const path = process.env["npm_execpath"];
  if (path === undefined) throw new Error("Run this through npm: npm run test:next");
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    cwd,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stderr}`);
  return stdout;
};

const pack = (): string => {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", appFolder];
  return join(appFolder, JSON.parse(npm(args, process.cwd()))[0].filename);
};

/** Installs what the example's package.json names; that is kept for the next run. */
const installOthers = (): void => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(example, "package.json"), "utf8"),
  );
  const { "adgen-sdk": _own, ...others } = { ...dependencies, ...devDependencies };
  const wanted = JSON.stringify(others);
  const noted = join(appFolder, "node_modules/.installed.json");
  if (existsSync(noted) && readFileSync(noted, "utf8") === wanted) return;
  rmSync(appFolder, { recursive: true, force: true });
  mkdirSync(appFolder, { recursive: true });
  writeFileSync(join(appFolder, "package.json"), JSON.stringify({ private: true }));
  const packages = Object.entries(others).map(([name, version]) => `${name}@${version}`);
  npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], appFolder);
  writeFileSync(noted, wanted);
};

/** Installs the package of this checkout, and the others. */
export const installPackages = (): void => {
  installOthers();
  const own = join(appFolder, "node_modules/adgen-sdk");
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  const tarball = pack();
  spawnSync("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
  rmSync(tarball);
};

const removeApp = (): void => {
  for (const name of readdirSync(appFolder)) {
    if (name === "node_modules" || name === "package-lock.json") continue;
    rmSync(join(appFolder, name), { recursive: true, force: true });
  }
};

/** Copies the example, and adds a page. */
export const copyExample = (): void => {
  removeApp();
  cpSync(example, appFolder, {
    recursive: true,
    filter: (path) => !/\/(node_modules|\.next)$/.test(path),
  });
  mkdirSync(join(appFolder, "app", waitingPage.path));
  writeFileSync(join(appFolder, "app", waitingPage.path, "page.tsx"), waitingPage.source);
};
