/** A process that writes records, and tells of each write that is safe, until it is killed. */
import { openSync, writeSync } from "node:fs";
import { Redis } from "ioredis";
import type { RecordStore } from "../../../src/submissions/record-store.ts";
import { createRedisStore } from "../../../src/submissions/redis-store.ts";
import { openFileStore } from "../../../src/submissions-file.ts";
import { stepOf } from "../written-steps.ts";

const [kind = "", place = "", run = "", report = ""] = process.argv.slice(2);

/** A file takes each line at once, which a full pipe does not. */
const reportFile = openSync(report, "a");
const tell = (...words: (string | number)[]): void => {
  writeSync(reportFile, `${words.join(" ")}\n`);
};

const openRedis = async (): Promise<RecordStore> => {
  const client = new Redis({
    port: Number(place),
    host: "127.0.0.1",
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 10,
    lazyConnect: true,
  });
  client.on("error", () => {});
  await client.connect().catch(() => {});
  return createRedisStore((...words) => client.call(...words), { warnOfDurability: false });
};

const store = kind === "file" ? await openFileStore(place) : await openRedis();

/** Does a step until it is known to be done. Redis may be away, and a rejected write may stand. */
const insist = async <T>(step: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (kind === "file") throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
};

const writeSteps = async (worker: number): Promise<void> => {
  const id = `${run}-${worker}`;
  for (let step = 1; ; step++) {
    const next = stepOf(step);
    const there = await insist(() => store.swap(id, stepOf(step - 1)?.rev ?? "", next));
    if (there?.rev !== next?.rev) throw new Error(`${id} has ${there?.rev} at step ${step}`);
    tell("wrote", id, step);
  }
};

const count = async (worker: number): Promise<void> => {
  for (let turn = 0; ; turn++) {
    const before = await insist(() => store.get("count"));
    const text = String(Number(before?.text ?? 0) + 1);
    const rev = `${run}-${worker}-${turn}`;
    const there = await insist(() => store.swap("count", before?.rev ?? "", { rev, text }));
    // A rejected write may stand and be counted on: then its revision is not seen any more.
    if (there?.rev === rev) tell("counted", text);
  }
};

process.stdout.write("opened\n");
await Promise.all([...[1, 2, 3].map(writeSteps), ...[1, 2].map(count)]);
