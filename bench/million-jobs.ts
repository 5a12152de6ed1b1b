/**
 * Submits a million jobs, in a process of its own with `--expose-gc` and a large heap. Tells its
 * parent their size, and the cost of looking one up among them.
 */
import { setImmediate } from "node:timers/promises";
import { createMockService, type MockService } from "adgen-sdk/mocks";
import { costOf } from "./measure.ts";
import { authorization, benchOptions, getJob, listJobs, send, submit } from "./workload.ts";

/** Findings after a million jobs; times in microseconds. */
export interface MillionJobs {
  readonly jobs: number;
  readonly bytesEach: number;
  readonly secondsToSubmit: number;
  readonly getAmongFew: number;
  readonly getAmongAll: number;
  readonly listAmongFew: number;
  readonly listAmongAll: number;
}

const few = 1_000;
const all = 1_000_000;

const usedBytes = (): number => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** The best of many: what it costs when nothing else happens. */
const best = async (run: () => Promise<unknown>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  await costOf(2_000, run);
  for (let round = 0; round < 100; round += 1) least = Math.min(least, await costOf(20, run));
  return least;
};

const lookUps = async (service: MockService, ids: readonly string[]) => {
  let turn = 0;
  const get = async () => {
    turn = (turn + 7) % ids.length;
    return (await send(service, getJob(ids[turn] ?? ""))).text();
  };
  return {
    get: await best(get),
    list: await best(async () => (await send(service, listJobs(20))).text()),
  };
};

process.on("disconnect", () => process.exit());

const service = createMockService(benchOptions);

/** As much of a request as is read: a million real ones would take longer than all the rest. */
const request = {
  method: submit.init.method,
  url: `https://ads.test${submit.path}`,
  headers: new Headers({ authorization }),
  signal: new AbortController().signal,
  text: async () => submit.init.body ?? "",
} as Request;

/** Gives some of the ids, from the first job to the last: all would weigh more than the jobs. */
const submitMore = async (total: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let count = 0; count < total; count += 1) {
    // Lets the end of the parent be noticed.
    if (count % 10_000 === 0) await setImmediate();
    const { body } = await service.reply(request);
    if (count % Math.ceil(total / 1_000) === 0) ids.push(JSON.parse(body).data.job_id);
  }
  return ids;
};

await submitMore(few);
service.reset();
const before = usedBytes();
const startedAt = performance.now();
const amongFew = await lookUps(service, await submitMore(few));
const ids = await submitMore(all - few);
const secondsToSubmit = (performance.now() - startedAt) / 1000;
const bytesEach = (usedBytes() - before) / all;
const amongAll = await lookUps(service, ids);

const findings: MillionJobs = {
  jobs: all,
  bytesEach,
  secondsToSubmit,
  getAmongFew: amongFew.get,
  getAmongAll: amongAll.get,
  listAmongFew: amongFew.list,
  listAmongAll: amongAll.list,
};
process.send?.(findings, () => process.exit());
