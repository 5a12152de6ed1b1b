/**
 * The programs of docs/guides/durable-engines.md, each in its engine. Their processes are killed, and
 * others go on. The mock stands for the service.
 */
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
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
  readonly open: OpenEngine;
  readonly service: MockServer["service"];
  /** Runs the guide's program that decides. */
  readonly decide: (task: string, jobId: string) => Promise<unknown>;
}

const count = ({ service }: Scene, operation: "jobs.submit" | "jobs.get"): number =>
  service.journal.find({ operation }).length;

/** Gives the one job, when exactly one was submitted and charged. */
const theJob = (scene: Scene): string => {
  const { charges } = scene.service.account(key);
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
  scene.service.jobs.complete(jobId);
  const look = await endOf(scene);
  assert(look.status === "done", JSON.stringify(look));
  assert.deepEqual([look.job.job_id, look.job.status], [jobId, "completed"]);
  assert.equal(theJob(scene), jobId);
};

const killBetween = async (scene: Scene): Promise<void> => {
  const { open, service } = scene;
  service.faults.play({ kind: "latency", ms: 60_000 }, { operation: "jobs.get", times: 1 });
  for (const polls of [0, 1, 2]) {
    const program = await open.start();
    if (polls === 0) await open.begin();
    await until(`poll of process ${polls + 1}`, () => count(scene, "jobs.get") > polls);
    if (polls === 1) await pause(500); // The engine sleeps now.
    if (polls < 2) await program.kill();
  }
  await expectFinished(scene, theJob(scene));
};

const killInside = async (scene: Scene, afterDoubt: Engine["afterDoubt"]): Promise<void> => {
  const { open, service, decide } = scene;
  // The job is charged, and its answer comes after the kill.
  service.faults.play({ kind: "latency", ms: 60_000 }, { operation: "jobs.submit", times: 1 });
  const first = await open.start();
  const begun = open.begin().catch(() => {});
  await until("submission", () => service.account(key).charges.length > 0);
  await begun;
  await first.kill();
  const jobId = theJob(scene);
  const second = await open.start();
  if ("reason" in afterDoubt) {
    const look = await endOf(scene);
    assert(look.status === "failed", JSON.stringify(look));
    assert.match(look.reason, afterDoubt.reason);
    assert.equal(theJob(scene), jobId);
  } else {
    await second.says(/may have been carried out/);
    assert.equal(theJob(scene), jobId);
    await decide(afterDoubt.task, jobId);
    await expectFinished(scene, jobId);
  }
};

const strict =
  "--strict --noEmit --exactOptionalPropertyTypes --verbatimModuleSyntax --skipLibCheck";
const modern = "--target es2024 --module nodenext --allowImportingTsExtensions";

export const engines = [restate, cloudflare, vercel].map((engine): Setting => {
  const { afterDoubt, program, file = program, types } = engine;
  const shared = "task" in afterDoubt ? ["submit-once.ts", "decide.ts"] : [];
  return {
    ...engine,
    from: "tools/first-hour/engines/hosts",
    packages: { ...engine.packages, typescript: "7.0.2" },
    copies: { ...filesOf(guide, ...shared), [file]: `${guide} > ${program}` },
    runs: { [`npx tsc ${file} ${strict} ${modern} ${types}`]: /^$/, ...engine.runs },
    async play({ folder, check }) {
      /** Opens the engine on an empty state, before a mock of its own. */
      const inEngine = async (use: (scene: Scene) => Promise<void>): Promise<void> => {
        const state = join(folder, "state");
        rmSync(state, { recursive: true, force: true });
        mkdirSync(state);
        const timeline = { queuedMs: 100, processingMs: Number.POSITIVE_INFINITY };
        await using mock = await startMockServer({ accounts: { [key]: {} }, timeline });
        const env = { ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: key, STATE_DIRECTORY: state };
        const decide = (task: string, jobId: string) =>
          runWell(`node decide.ts ${task} ${jobId}`, folder, env);
        const open = await engine.open({ folder, state, env });
        try {
          await use({ open, service: mock.service, decide });
        } finally {
          await killAll();
        }
      };
      await check("killed in a poll, then asleep: a third process ends with the job", () =>
        inEngine(killBetween),
      );
      const next = "task" in afterDoubt ? "goes on with the job that is named" : "ends";
      await check(`killed inside the submission: pays once, and ${next}`, () =>
        inEngine((scene) => killInside(scene, afterDoubt)),
      );
    },
  };
});
