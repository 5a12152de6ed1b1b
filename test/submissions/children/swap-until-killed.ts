/** A process that writes records, and tells of each write that is safe, until it is killed. */
import { openSync, writeSync } from "node:fs";
import { insist, openChildStore } from "../open-child-store.ts";
import { stepOf } from "../written-steps.ts";

const [kind = "", place = "", run = "", report = ""] = process.argv.slice(2);

/** A file takes each line at once, which a full pipe does not. */
const reportFile = openSync(report, "a");
const tell = (...words: (string | number)[]): void => {
  writeSync(reportFile, `${words.join(" ")}\n`);
};

const store = await openChildStore(kind, place);

const writeSteps = async (worker: number): Promise<void> => {
  const id = `${run}-${worker}`;
  for (let step = 1; ; step++) {
    const next = stepOf(step);
    // A rejected write may stand, and is made again.
    const there = await insist(kind, () => store.swap(id, stepOf(step - 1)?.rev ?? "", next));
    if (there?.rev !== next?.rev) throw new Error(`${id} has ${there?.rev} at step ${step}`);
    tell("wrote", id, step);
  }
};

const count = async (worker: number): Promise<void> => {
  for (let turn = 0; ; turn++) {
    const before = await insist(kind, () => store.get("count"));
    const text = String(Number(before?.text ?? 0) + 1);
    const rev = `${run}-${worker}-${turn}`;
    const there = await insist(kind, () => store.swap("count", before?.rev ?? "", { rev, text }));
    // A rejected write may stand and be counted on: then its revision is not seen any more.
    if (there?.rev === rev) tell("counted", text);
  }
};

process.stdout.write("opened\n");
await Promise.all([...[1, 2, 3].map(writeSteps), ...[1, 2].map(count)]);
