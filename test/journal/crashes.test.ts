import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenToAccounts } from "./charging-accounts.ts";

/** `npm run test:crashes` kills 400 processes. */
const kills = Number(process.env["CRASH_RUNS"] ?? 20);
const lanes = ["lane-a", "lane-b", "lane-c"];

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "adgen-crashes-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles the child: as one file it starts in a third of the time. */
const bundleChild = async (): Promise<string> => {
  const outfile = join(folder, "child.mjs");
  await build({
    entryPoints: ["test/journal/children/submit-until-killed.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  return outfile;
};

/** Runs a process and kills it, at a random moment: most often while it submits. */
const runAndKill = (
  script: string,
  args: readonly string[],
  account: { onSubmit: () => void },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const kill = () => void child.kill("SIGKILL");
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    if (Math.random() < 0.2) setTimeout(kill, 300 * Math.random());
    let left = Math.ceil(20 * Math.random());
    account.onSubmit = () => {
      if (--left === 0) setTimeout(kill, 12 * Math.random());
    };
    child.on("error", reject);
    child.on("close", (_, signal) => {
      if (signal === "SIGKILL" && errors === "") resolve();
      else reject(new Error(`It ended by ${signal}: ${errors}`));
    });
  });

test("no kill loses a job, or makes one twice", { timeout: 900_000 }, async () => {
  const script = await bundleChild();
  const service = await listenToAccounts();
  let killed = 0;
  const runLane = async (lane: string): Promise<void> => {
    const path = join(folder, `${lane}.journal`);
    while (killed < kills) {
      killed++;
      await runAndKill(
        script,
        [service.url, path, lane, `${lane}-${killed}`],
        service.accountOf(lane),
      );
    }
  };

  await Promise.all(lanes.map(runLane));

  const accounts = [...service.accounts.values()];
  const charged = accounts.flatMap((account) => account.charged.map(({ prompt }) => prompt));
  const { requests, recoveries, unknown, withCandidate } = service.counts;
  if (process.env["CRASH_RUNS"]) {
    console.log(
      `${killed} kills, ${recoveries} recoveries, ${requests} submissions, ${charged.length} ` +
        `charged, ${unknown} times unknown, ${withCandidate} of them with the job as candidate`,
    );
  }
  expect(accounts.flatMap(({ problems }) => problems)).toEqual([]);
  expect(new Set(charged).size).toBe(charged.length);
  expect(killed).toBeGreaterThanOrEqual(kills);
  expect(recoveries).toBeGreaterThan(kills / 3);
  expect(charged.length).toBeGreaterThan(kills);
  expect(withCandidate).toBeGreaterThan(kills / 10);
});
