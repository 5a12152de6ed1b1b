import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checksum } from "../../src/lock/checksum.ts";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import type { FileStore } from "../../src/submissions-file.ts";
import { openStore, path, useFolders } from "./file-stores.ts";

useFolders();

let seconds = 0;

/** An event of a submission, as 0.8 wrote it. */
const lineOf = (id: string, event: string, more: object = {}, v = 1): string => {
  seconds += 1;
  const at = new Date(1_790_000_000_000 + seconds * 1_000).toISOString();
  const text = JSON.stringify({ v, id, at, event, ...more });
  return `${checksum(text)} ${text}`;
};

type Event = readonly [event: string, more?: object];
const accepted = (jobId: string): Event => ["accepted", { jobId }];
const adopted = (jobId: string): Event => ["accepted", { jobId, isAdopted: true }];
const acknowledged = (jobId: string): Event => ["acknowledged", { jobId }];

/** The lines of a submission, from its intent on. */
const life = (id: string, ...events: Event[]): string[] => {
  const request = { action: "generate-ad", prompt: `prompt of ${id}` };
  const origin = "https://api.example.com";
  const intent = { action: "generate-ad", request, digest: "0123", origin };
  return [["intent", intent] as const, ...events].map(([event, more]) => lineOf(id, event, more));
};

/** Recovers by a store. The service lists all jobs of its first lines, and another one. */
const recoverFrom = async (store: FileStore, ids: Iterable<string>) => {
  const submissions = createSubmissions(store);
  const items = [...ids, "job-new"].map((job_id) => ({ job_id, status: "queued" as const }));
  const jobs = {
    list: async () => ({ items, meta: {} }),
    get: async () => items.find(({ job_id: id }) => id === "job-7"),
  };
  const recovered = await submissions.recover(undefined, jobs as never);
  const short = {
    waiting: recovered.waiting.map(({ id, job_id: jobId }) => [id, jobId]),
    unknown: recovered.unknown.map(({ id, why, candidates }) => [
      ...[id, why],
      candidates?.map(({ job_id: jobId }) => jobId),
    ]),
    damaged: recovered.damaged.map(({ text }) => text),
    underWay: recovered.underWay.length,
  };
  return { submissions, recovered, short };
};

/** Opens a journal with these lines, and recovers from it: now, and after a restart. */
const openJournal = async (lines: readonly string[], tail = "") => {
  writeFileSync(path, `adgen-sdk journal 1\n${lines.map((line) => `${line}\n`).join("")}${tail}`);
  const ids = new Set(lines.join().match(/job-\w+/g) ?? []);
  const store = await openStore();
  const restart = async () => {
    await store.close();
    return recoverFrom(await openStore(), ids);
  };
  return { ...(await recoverFrom(store, ids)), restart };
};

test("a journal of 0.8 is read once, and becomes a store", async () => {
  const { short, recovered, submissions, restart } = await openJournal([
    ...life("answered", accepted("job-1")),
    ...life("killed"),
    ...life("saved", accepted("job-2"), ["finished"], acknowledged("job-2")),
    ...life("refused", ["failed", { outcome: "refused", code: "bad_request" }]),
    ...life("lost", ["failed", { outcome: "unknown", code: "timeout" }]),
    ...life("broken", ["failed", { outcome: "unknown", code: "decode", jobId: "job-7" }]),
    ...life("dismissed", ["dismissed"]),
    // Its intent was compacted away.
    lineOf("finished", ...accepted("job-3")),
    lineOf("finished", "finished", { jobId: "job-3" }),
  ]);

  const rest = { damaged: [], underWay: 0 };
  expect(short).toEqual({
    waiting: [
      ["answered", "job-1"],
      ["finished", "job-3"],
    ],
    unknown: [
      ["killed", "process_ended", ["job-new"]],
      ["lost", "timeout", ["job-new"]],
      ["broken", "decode", ["job-7"]],
    ],
    ...rest,
  });
  expect(recovered.waiting[0]).toMatchObject({
    method: "jobs.submit",
    action: "generate-ad",
    request: { prompt: "prompt of answered" },
    origin: "https://api.example.com",
    submittedAt: expect.stringMatching(/^2026-/),
  });

  // Decisions and ends work on what was read.
  await submissions.acknowledge("job-1");
  await submissions.acknowledge("job-2");
  const [killed, lost, broken] = recovered.unknown;
  if (killed) await submissions.decide(killed, { adopt: "job-new" });
  if (lost) await submissions.decide(lost, "resubmit");
  expect(broken?.jobId).toBe("job-7");
  if (broken) await submissions.decide(broken, "drop");
  expect(readFileSync(path, "utf8")).toMatch(/^adgen-sdk submissions 1\n/);
  const waiting = [
    ["killed", "job-new"],
    ["finished", "job-3"],
  ];
  expect((await restart()).short).toEqual({ waiting, unknown: [], ...rest });
});

test("an adoption holds until an answer contradicts it", async () => {
  const { short } = await openJournal([
    ...life("twice", adopted("job-1"), adopted("job-2")),
    ...life("wrong", adopted("job-3")),
    ...life("owner", accepted("job-3")),
    ...life("late", adopted("job-4"), accepted("job-5")),
    ...life("ended", adopted("job-6"), acknowledged("job-6")),
    ...life("undone", adopted("job-3"), acknowledged("job-3")),
  ]);

  const candidates = ["job-1", "job-4", "job-new"];
  expect(short).toMatchObject({
    waiting: [
      ["twice", "job-2"],
      ["owner", "job-3"],
      ["late", "job-5"],
    ],
    unknown: [
      ["wrong", "process_ended", candidates],
      ["undone", "process_ended", candidates],
    ],
  });
});

test("damaged lines are told of at each opening, and a torn one is none", async () => {
  const [intent = ""] = life("damaged");
  const damaged = [intent.replace("prompt of", "prompt if"), lineOf("later", "intent", {}, 2)];
  const torn = lineOf("whole", ...accepted("job-1")).slice(0, -1);
  const { short, restart } = await openJournal([...damaged, ...life("whole")], torn);

  for (const told of [short, (await restart()).short]) {
    expect(told.damaged).toEqual(damaged);
    expect(told.unknown.map(([id]) => id)).toEqual(["whole"]);
  }
});
