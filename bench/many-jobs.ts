import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMockService } from "adgen-sdk/mocks";
import { startMockServer } from "adgen-sdk/mocks/server";
import autocannon from "autocannon";
import { costOf, type Finding } from "./measure.ts";
import { benchOptions, getJob, listJobs, sendAsk, submitAd, submitJob } from "./workload.ts";

const few = 1_000;
const many = 20_000;

/** Measures a run many times, and gives the shortest time: other work only makes a run longer. */
const best = async (run: () => Promise<unknown>): Promise<number> => {
  let min = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20; round += 1) min = Math.min(min, await costOf(5, run));
  return min / 1000;
};

const within = (what: string, ms: number, limitMs: number): Finding => ({
  what: `${what}, among ${many.toLocaleString("en")} jobs`,
  measured: `${ms.toFixed(1)} ms`,
  limit: `≤ ${limitMs} ms`,
  ok: ms <= limitMs,
});

/** Measures submissions to a server that keeps its state in a file, from 32 connections. */
const measureStateFile = async (): Promise<Finding> => {
  const folder = await mkdtemp(join(tmpdir(), "adgen-bench-"));
  const server = await startMockServer({ ...benchOptions });
  const { path, init } = submitAd;
  const startedAt = performance.now();
  const { method, headers, body = "" } = init;
  const sent = { method: method as "POST", headers, body };
  const { non2xx, errors } = await autocannon({
    ...{ url: server.url + path, ...sent },
    ...{ connections: 32, amount: many },
  });
  const seconds = (performance.now() - startedAt) / 1000;
  await server.close();
  await rm(folder, { recursive: true });
  return {
    what: `${many.toLocaleString("en")} submissions with a state file`,
    measured: `${seconds.toFixed(1)} s`,
    limit: "≤ 10 s",
    ok: seconds <= 10 && non2xx + errors === 0,
  };
};

/** Measures the polls, lists, searches and the page of a service with twenty thousand jobs. */
export const measureManyJobs = async (): Promise<Finding[]> => {
  const service = createMockService(benchOptions);
  let id = "";
  for (let count = 0; count < few; count += 1) id = await submitJob(service);
  const poll = async () => (await sendAsk(service, getJob(id))).text();
  await costOf(4_000, poll);
  const amongFew = await best(poll);
  for (let count = few; count < many; count += 1) await submitJob(service);
  const amongMany = await best(poll);
  await using server = await startMockServer({ service });
  return [
    {
      what: `get, among ${many.toLocaleString("en")} jobs`,
      measured: `${(amongMany / amongFew).toFixed(2)}× among ${few.toLocaleString("en")}`,
      limit: "≤ 3×",
      ok: amongMany / amongFew <= 3,
    },
    within("list 100", await best(async () => (await sendAsk(service, listJobs(100))).text()), 20),
    within("page", await best(async () => (await fetch(`${server.url}/__mock/`)).text()), 60),
    within(
      "state",
      await best(async () => (await fetch(`${server.url}/__mock/state`)).text()),
      300,
    ),
    await measureStateFile(),
  ];
};
