import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { installApp, pack } from "../packed-package.ts";

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

/** Installs what the example's package.json names, which is kept for the next run, and the package. */
export const installPackages = (): void => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(example, "package.json"), "utf8"),
  );
  const { "adgen-sdk": _own, ...others } = { ...dependencies, ...devDependencies };
  const tarball = pack(appFolder);
  installApp(appFolder, others, tarball);
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
