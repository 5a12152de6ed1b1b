import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checksum } from "../../src/lock/checksum.ts";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
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
const failed = (outcome: string, code: string, jobId?: string): Event => [
  "failed",
  { outcome, code, jobId },
];

/** The lines of a submission, from its intent on. */
const life = (id: string, events: readonly Event[]): string[] => {
  const request = { action: "generate-ad", prompt: `prompt of ${id}` };
  const origin = "https://api.example.com";
  const intent = { action: "generate-ad", request, digest: "0123", origin };
  return [["intent", intent] as const, ...events].map(([event, more]) => lineOf(id, event, more));
};

/** Submissions, and what becomes of them: a job to wait for, a reason of doubt, or nothing. */
const lives: readonly (readonly [id: string, events: readonly Event[], told?: string])[] = [
  ["answered", [accepted("job-1")], "job-1"],
  ["killed", [], "process_ended"],
  ["saved", [accepted("job-2"), ["finished"], acknowledged("job-2")]],
  ["refused", [failed("refused", "bad_request")]],
  ["lost", [failed("unknown", "timeout")], "timeout"],
  ["broken", [failed("unknown", "decode", "job-7")], "decode"],
  ["dismissed", [["dismissed"]]],
  // An adoption holds until an answer contradicts it.
  ["twice", [adopted("job-4"), adopted("job-5")], "job-5"],
  ["wrong", [adopted("job-6")], "process_ended"],
  ["owner", [accepted("job-6")], "job-6"],
  ["late", [adopted("job-8"), accepted("job-9")], "job-9"],
  ["ended", [adopted("job-10"), acknowledged("job-10")]],
  ["undone", [adopted("job-6"), acknowledged("job-6")], "process_ended"],
];

/** Opens the file, and recovers from it. The service lists all jobs of the journal, and a new one. */
const recover = async () => {
  const store = await openStore();
  const submissions = createSubmissions(store);
  const ids = Array.from({ length: 10 }, (_, index) => `job-${index + 1}`);
  const items = [...ids, "job-new"].map((job_id) => ({ job_id, status: "queued" as const }));
  const jobs = { list: async () => ({ items, meta: {} }), get: async () => items[6] };
  const recovered = await submissions.recover({ settleMs: 0 }, jobs as never);
  return { store, submissions, ...recovered };
};

test("a journal of 0.8 is read once, and becomes a store", async () => {
  const [intent = ""] = life("damaged", []);
  const damaged = [intent.replace("prompt of", "prompt if"), lineOf("later", "intent", {}, 2)];
  const lines = [
    ...lives.flatMap(([id, events]) => life(id, events)),
    // Its intent was compacted away.
    lineOf("finished", ...accepted("job-3")),
    lineOf("finished", "finished", { jobId: "job-3" }),
    ...damaged,
    // Torn, and so none.
    lineOf("killed", ...accepted("job-11")).slice(0, -1),
  ];
  writeFileSync(path, `adgen-sdk journal 1\n${lines.join("\n")}`);
  const tellsJob = (told = "") => told.startsWith("job-");
  const doubts = lives.filter(([, , told]) => told !== undefined && !tellsJob(told));
  const jobs = [
    ...lives.filter(([, , told]) => tellsJob(told)),
    ["finished", [], "job-3"],
  ] as const;

  const { store, submissions, waiting, unknown, ...rest } = await recover();

  expect(waiting.map(({ id, job_id }) => [id, job_id])).toEqual(
    jobs.map(([id, , job]) => [id, job]),
  );
  expect(waiting[0]).toMatchObject({
    method: "jobs.submit",
    action: "generate-ad",
    request: { prompt: "prompt of answered" },
    origin: "https://api.example.com",
    submittedAt: expect.stringMatching(/^2026-/),
  });
  expect(unknown.map(({ id, why }) => [id, why])).toEqual(doubts.map(([id, , why]) => [id, why]));
  for (const { id, jobId, candidates } of unknown) {
    expect(jobId).toBe(id === "broken" ? "job-7" : undefined);
    const free = id === "broken" ? ["job-7"] : ["job-4", "job-8", "job-new"];
    expect(candidates?.map(({ job_id }) => job_id)).toEqual(free);
  }
  expect(rest).toMatchObject({ damaged: damaged.map((text) => ({ text })), underWay: [] });
  expect(readFileSync(path, "utf8")).toMatch(/^adgen-sdk submissions 1\n/);

  // Decisions and ends work on what was read, and hold.
  for (const job of ["job-1", "job-2"]) await submissions.acknowledge(job);
  const decisions = [{ adopt: "job-new" }, "resubmit", "drop"] as const;
  for (const [index, decision] of decisions.entries()) {
    await submissions.decide(unknown[index] ?? { id: "", token: "" }, decision);
  }
  await store.close();
  const later = await recover();
  const left = new Set(["owner", "twice", "late", "finished", "killed"]);
  expect(new Set(later.waiting.map(({ id }) => id))).toEqual(left);
  expect(later.unknown.map(({ id }) => id)).toEqual(["wrong", "undone"]);
  expect(later.damaged).toEqual(rest.damaged);
});
