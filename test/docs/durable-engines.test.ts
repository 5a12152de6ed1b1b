// Runs the cron job of the guide about durable engines. The guide's other programs need an engine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { startMockServer } from "adgen-sdk/mocks/server";
import { expect, test, vi } from "vitest";
import { writeRecipe } from "../helpers/doc-blocks.ts";
import { runCommand } from "../helpers/run-command.ts";

const folder = writeRecipe("docs/guides/durable-engines.md");
const fromSource = pathToFileURL(resolve("test/helpers/from-source.ts")).href;
const commandOf = (...args: readonly string[]) => [
  process.execPath,
  `--import=${fromSource}`,
  ...args,
];

/** Opens the cron job's folder, and a service whose jobs end when told. */
const openScene = async (name: string) => {
  const state = join(folder, name);
  mkdirSync(state);
  const timeline = { queuedMs: 0, processingMs: Number.POSITIVE_INFINITY };
  const mock = await startMockServer({ accounts: { key: {} }, timeline });
  const env = { ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: "key", STATE_DIRECTORY: state };
  const run = (...args: readonly string[]) => runCommand(folder, commandOf(...args), env);
  expect(await run("cron.ts"), "the first run makes the table").toEqual({ status: 0, output: "" });
  const database = new DatabaseSync(join(state, "ads.db"));
  return {
    database,
    service: mock.service,
    run,
    row() {
      const rows = database.prepare("SELECT * FROM ads").all();
      expect(rows).toHaveLength(1);
      return rows[0];
    },
    charges: () => mock.service.account("key").charges,
    /** Runs the cron job, which adds a row, and kills the run once `isTime` returns true. */
    async killOnce(isTime: () => boolean) {
      const [command = "", ...args] = commandOf("cron.ts", "Lemonade");
      const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env } });
      await vi.waitUntil(isTime, { timeout: 150_000, interval: 5 });
      child.kill("SIGKILL");
      await once(child, "close");
    },
    async [Symbol.asyncDispose]() {
      database.close();
      await mock.close();
    },
  };
};

test("an engine goes on in another process after a kill between submission and result", async () => {
  await using scene = await openScene("between");
  const { service, database } = scene;
  service.faults.play({ kind: "latency", ms: 60_000 }, { operation: "jobs.get", times: 1 });
  await scene.killOnce(() => service.journal.entries.some(({ method }) => method === "GET"));
  const [charge] = scene.charges();
  expect(scene.row()).toMatchObject({ ticket: expect.stringContaining('"version":1'), job: null });

  service.jobs.complete(charge?.jobId ?? "");
  expect(await scene.run("cron.ts")).toEqual({ status: 0, output: "" });
  const job = JSON.parse(String(scene.row()?.["job"]));
  expect(job).toMatchObject({ job_id: charge?.jobId, status: "completed" });

  // Imitate a kill before the ticket was kept: the table lacks it, but the store knows the job.
  database.exec("UPDATE ads SET ticket = NULL, job = NULL");
  await scene.run("cron.ts");
  expect(JSON.parse(String(scene.row()?.["job"]))).toEqual(job);
  expect(scene.charges()).toEqual([charge]);
});

test("an engine waits for a decision after a kill inside the submission, and pays once", async () => {
  await using scene = await openScene("inside");
  const { service, database } = scene;
  service.faults.play({ kind: "latency", ms: 60_000 }, { operation: "jobs.submit", times: 1 });
  await scene.killOnce(() => scene.charges().length > 0);
  const [charge] = scene.charges();
  const jobId = charge?.jobId ?? "";

  expect((await scene.run("cron.ts")).output).toContain('the submission "ad-1"');
  expect(scene.row()).toMatchObject({
    problem: expect.stringContaining("may have been carried out"),
  });
  const command = [resolve("src/submissions/cli.ts"), join(folder, "inside", "submissions")];
  expect((await scene.run(...command)).output).toContain(`--adopt ad-1 ${jobId}`);
  expect((await scene.run(...command, "--adopt", "ad-1", jobId)).output).toContain(jobId);

  service.jobs.complete(jobId);
  database.exec("UPDATE ads SET problem = NULL");
  expect(await scene.run("cron.ts")).toEqual({ status: 0, output: "" });
  expect(JSON.parse(String(scene.row()?.["job"]))).toMatchObject({ status: "completed" });
  expect(scene.charges()).toEqual([charge]);
});
