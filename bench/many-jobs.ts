import { createMockService } from "adgen-sdk/mocks";
import { startMockServer } from "adgen-sdk/mocks/server";
import { costOf, type Finding } from "./measure.ts";
import { benchOptions, getJob, listJobs, send, submitJob } from "./workload.ts";

const few = 1_000;
const many = 20_000;

/** Milliseconds of a run, the best of many: what it costs when nothing else happens. */
const best = async (run: () => Promise<unknown>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20; round += 1) least = Math.min(least, await costOf(5, run));
  return least / 1000;
};

const within = (what: string, ms: number, limitMs: number): Finding => ({
  what: `${what}, among ${many.toLocaleString("en")} jobs`,
  measured: `${ms.toFixed(1)} ms`,
  limit: `≤ ${limitMs} ms`,
  ok: ms <= limitMs,
});

/** Measures the polls, lists, searches and the page of a service with twenty thousand jobs. */
export const measureManyJobs = async (): Promise<Finding[]> => {
  const service = createMockService(benchOptions);
  let id = "";
  for (let count = 0; count < few; count += 1) id = await submitJob(service);
  const poll = async () => (await send(service, getJob(id))).text();
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
    within("list 100", await best(async () => (await send(service, listJobs(100))).text()), 20),
    within("search", await best(async () => service.jobs.search({ text: "garden" })), 150),
    within("page", await best(async () => (await fetch(`${server.url}/__mock/`)).text()), 150),
  ];
};
