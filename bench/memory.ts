import { fork } from "node:child_process";
import { once } from "node:events";
import type { Finding } from "./measure.ts";
import type { MillionJobs } from "./million-jobs.ts";

/** Largest size of a job in bytes, in the heap and outside of it. */
const maxBytes = 1024;
/** Largest ratio of a poll-up among a million jobs to one among a thousand. */
const maxGrowth = 3;

/** Measures the size of a million jobs, and the cost of polling one up among them. */
export const measureMemory = async (): Promise<Finding[]> => {
  const child = fork(new URL("./million-jobs.ts", import.meta.url), {
    execArgv: ["--expose-gc", "--max-old-space-size=4096"],
  });
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`The process with a million jobs ended with ${code}`);
  });
  failed.catch(() => {});
  const [found] = (await Promise.race([once(child, "message"), failed])) as [MillionJobs];

  const growth = (what: string, few: number, all: number): Finding => ({
    what: `${what}, among a million jobs`,
    measured: `${(all / few).toFixed(2)}× among a thousand (${all.toFixed(0)} and ${few.toFixed(0)} µs)`,
    limit: `≤ ${maxGrowth}×`,
    ok: all / few <= maxGrowth,
  });
  return [
    {
      what: "memory: a job, of a million",
      measured: `${Math.round(found.bytesEach)} bytes (submitted in ${found.secondsToSubmit.toFixed(0)} s)`,
      limit: `≤ ${maxBytes}`,
      ok: found.bytesEach <= maxBytes,
    },
    growth("get", found.getAmongFew, found.getAmongAll),
    growth("list 20", found.listAmongFew, found.listAmongAll),
  ];
};
