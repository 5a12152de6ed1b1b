/**
 * The programs of docs/guides/durable-engines.md, each in its engine. Their processes are killed, and
 * others go on. The mock stands for the service.
 */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type MockServer, startMockServer } from "adgen-sdk/mocks/server";
import { filesOf } from "../cut-blocks.ts";
import { killAll, runWell, until } from "../processes.ts";
import type { Setting } from "../setting.ts";
import { cloudflare } from "./cloudflare.ts";
import type { Engine, Look, OpenEngine } from "./engine.ts";
import { restate } from "./restate.ts";
import { vercel } from "./vercel.ts";

const guide = "docs/guides/durable-engines.md";
const key = "test-key";

interface Scene {
  readonly engine: Engine;
  readonly folder: string;
  readonly open: OpenEngine;
  readonly mock: MockServer;
  readonly env: Readonly<Record<string, string>>;
}

const count = ({ mock }: Scene, operation: string): number =>
  mock.service.journal.entries.filter((entry) => entry.operation === operation).length;

/** Gives the one job, when exactly one was submitted and charged. */
const theJob = (scene: Scene): string => {
  const { charges } = scene.mock.service.account(key);
  assert.equal(charges.length, 1, "one job was charged");
  assert.equal(count(scene, "jobs.submit"), 1, "one submission has arrived");
  return charges[0]?.jobId ?? "";
};

const endOf = (scene: Scene): Promise<Look> =>
  until("end of the workflow", async () => {
    theJob(scene);
    const look = await scene.open.look();
    return look.status !== "running" && look;
  });

const expectFinished = async (scene: Scene, jobId: string): Promise<void> => {
  scene.mock.service.jobs.complete(jobId);
  const look = await endOf(scene);
  assert(look.status === "done", JSON.stringify(look));
  assert.deepEqual([look.job.job_id, look.job.status], [jobId, "completed"]);
  assert.equal(theJob(scene), jobId);
};

/** Opens the engine on an empty state, before a mock of its own. */
const inEngine = async (
  engine: Engine,
  folder: string,
  use: (scene: Scene) => Promise<void>,
): Promise<void> => {
  const state = join(folder, "state");
  rmSync(state, { recursive: true, force: true });
  mkdirSync(state);
  const timeline = { queuedMs: 100, processingMs: Number.POSITIVE_INFINITY };
  await using mock = await startMockServer({ accounts: { [key]: {} }, timeline });
  const env = { ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: key };
  const open = await engine.open({ folder, state, env });
  try {
    await use({ engine, folder, open, mock, env: { ...env, STATE_DIRECTORY: state } });
  } finally {
    await killAll();
    rmSync(state, { recursive: true, force: true });
  }
};

const killBetween = async (scene: Scene): Promise<void> => {
  const { open, mock } = scene;
  mock.service.faults.play({ kind: "latency", ms: 60_000 }, { operation: "jobs.get", times: 1 });
  const first = await open.start();
  await open.begin();
  await until("first poll", () => count(scene, "jobs.get") > 0);
  await first.kill();
  const jobId = theJob(scene);

  const second = await open.start();
  await until("poll of the second process", () => count(scene, "jobs.get") > 1);
  await pause(500); // The engine sleeps now.
  await second.kill();

  const third = await open.start();
  await until("poll of the third process", () => count(scene, "jobs.get") > 2);
  await expectFinished(scene, jobId);
  await third.kill();
};

const killInside = async (scene: Scene): Promise<void> => {
  const { engine, folder, open, mock, env } = scene;
  // The job is charged, and its answer comes after the kill.
  mock.service.faults.play({ kind: "latency", ms: 60_000 }, { operation: "jobs.submit", times: 1 });
  const first = await open.start();
  const begun = open.begin().catch(() => {});
  await until("submission", () => mock.service.account(key).charges.length > 0);
  await begun;
  await first.kill();
  const jobId = theJob(scene);
  const second = await open.start();
  const { afterDoubt } = engine;
  if ("reason" in afterDoubt) {
    const look = await endOf(scene);
    assert(look.status === "failed", JSON.stringify(look));
    assert.match(look.reason, afterDoubt.reason);
    assert.equal(theJob(scene), jobId);
  } else {
    await until(
      "call for a decision",
      () => theJob(scene) === jobId && second.printed().includes("may have been carried out"),
    );
    await runWell(`node decide.ts ${afterDoubt.task} ${jobId}`, folder, env);
    await expectFinished(scene, jobId);
  }
  await second.kill();
};

const compilerOptions = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

export const engines = [restate, cloudflare, vercel].map((engine): Setting => {
  const { afterDoubt, program, place = program, types } = engine;
  const shared = "task" in afterDoubt ? ["submit-once.ts", "decide.ts"] : [];
  const lib = ["es2024", ...(types[0] === "node" ? ["dom"] : [])];
  const project = { compilerOptions: { ...compilerOptions, lib, types }, files: [place] };
  return {
    ...engine,
    packages: { ...engine.packages, typescript: "7.0.2" },
    copies: { ...filesOf(guide, ...shared), [place]: `${guide} > ${program}` },
    files: { "tsconfig.json": JSON.stringify(project) },
    runs: { "npx tsc": /^$/, ...engine.runs },
    async play({ folder, check }) {
      cpSync(join(import.meta.dirname, "hosts"), folder, { recursive: true });
      await check("killed in a poll, then asleep: a third process ends with the job", () =>
        inEngine(engine, folder, killBetween),
      );
      const next = "task" in afterDoubt ? "goes on with the job that is named" : "ends";
      await check(`killed inside the submission: pays once, and ${next}`, () =>
        inEngine(engine, folder, killInside),
      );
    },
  };
});
