import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checksum } from "../../src/lock/checksum.ts";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { type FileStore, openFileStore } from "../../src/submissions-file.ts";

let folder = "";
let path = "";
let store: FileStore | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), "adgen-old-"));
  path = join(folder, "submissions.journal");
});
afterEach(async () => {
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

let seconds = 0;

/** Writes a line as 0.8 did. */
const lineOf = (id: string, event: string, more: object = {}): string => {
  seconds += 1;
  const at = new Date(1_790_000_000_000 + seconds * 1_000).toISOString();
  const text = JSON.stringify({ v: 1, id, at, event, ...more });
  return `${checksum(text)} ${text}`;
};

const intentOf = (id: string): string =>
  lineOf(id, "intent", {
    action: "generate-ad",
    request: { action: "generate-ad", prompt: `prompt of ${id}` },
    digest: "0123",
    origin: "https://api.example.com",
  });

const accepted = (id: string, jobId: string) => lineOf(id, "accepted", { jobId });
const adopted = (id: string, jobId: string) => lineOf(id, "accepted", { jobId, isAdopted: true });

/** Opens a journal with these lines, and recovers from it. The service lists all jobs of the lines. */
const recoverFrom = async (lines: readonly string[], tail = "") => {
  writeFileSync(path, `adgen-sdk journal 1\n${lines.map((line) => `${line}\n`).join("")}${tail}`);
  const ids = new Set(lines.join().match(/job-\w+/g) ?? []);
  const items = [...ids, "job-new"].map((job_id) => ({ job_id, status: "queued" as const }));
  const recover = async () => {
    await store?.close();
    store = await openFileStore(path);
    const submissions = createSubmissions(store);
    const jobs = { list: async () => ({ items, meta: {} }), get: async () => items[0] };
    const recovered = await submissions.recover(undefined, jobs as never);
    return { recovered, submissions };
  };
  return { ...(await recover()), recover };
};

const short = ({ recovered }: Awaited<ReturnType<typeof recoverFrom>>) => ({
  waiting: recovered.waiting.map(({ id, job_id: jobId }) => [id, jobId]),
  unknown: recovered.unknown.map(({ id, why, candidates }) => [
    id,
    why,
    candidates?.map(({ job_id: jobId }) => jobId),
  ]),
  damaged: recovered.damaged.length,
  underWay: recovered.underWay.length,
});

test("a journal of 0.8 is read once, and becomes a store", async () => {
  const opened = await recoverFrom([
    ...[intentOf("answered"), accepted("answered", "job-1")],
    ...[intentOf("killed")],
    ...[intentOf("saved"), accepted("saved", "job-2"), lineOf("saved", "finished")],
    lineOf("saved", "acknowledged", { jobId: "job-2" }),
    ...[
      intentOf("refused"),
      lineOf("refused", "failed", { outcome: "refused", code: "bad_request" }),
    ],
    ...[intentOf("lost"), lineOf("lost", "failed", { outcome: "unknown", code: "timeout" })],
    ...[intentOf("dismissed"), lineOf("dismissed", "dismissed")],
    ...[accepted("finished", "job-3"), lineOf("finished", "finished", { jobId: "job-3" })],
  ]);

  expect(short(opened)).toEqual({
    waiting: [
      ["answered", "job-1"],
      ["finished", "job-3"],
    ],
    unknown: [
      ["killed", "process_ended", ["job-new"]],
      ["lost", "timeout", ["job-new"]],
    ],
    damaged: 0,
    underWay: 0,
  });
  expect(opened.recovered.waiting[0]).toMatchObject({
    method: "jobs.submit",
    action: "generate-ad",
    request: { prompt: "prompt of answered" },
    origin: "https://api.example.com",
    submittedAt: expect.stringMatching(/^2026-/),
  });

  // Decisions and ends work on what was read.
  const { submissions, recovered, recover } = opened;
  await submissions.acknowledge("job-1");
  await submissions.acknowledge("job-2");
  const [killed, lost] = recovered.unknown;
  if (killed) await submissions.decide(killed, { adopt: "job-new" });
  if (lost) await submissions.decide(lost, "resubmit");
  expect(readFileSync(path, "utf8")).toMatch(/^adgen-sdk submissions 1\n/);
  expect(short({ ...opened, ...(await recover()) })).toEqual({
    waiting: [
      ["killed", "job-new"],
      ["finished", "job-3"],
    ],
    unknown: [],
    damaged: 0,
    underWay: 0,
  });
});

test("an adoption holds until an answer contradicts it", async () => {
  const opened = await recoverFrom([
    ...[intentOf("twice"), adopted("twice", "job-1"), adopted("twice", "job-2")],
    ...[intentOf("wrong"), adopted("wrong", "job-3")],
    ...[intentOf("owner"), accepted("owner", "job-3")],
    ...[intentOf("late"), adopted("late", "job-4"), accepted("late", "job-5")],
    ...[
      intentOf("ended"),
      adopted("ended", "job-6"),
      lineOf("ended", "acknowledged", { jobId: "job-6" }),
    ],
    ...[
      intentOf("undone"),
      adopted("undone", "job-3"),
      lineOf("undone", "acknowledged", { jobId: "job-3" }),
    ],
  ]);

  expect(short(opened)).toMatchObject({
    waiting: [
      ["twice", "job-2"],
      ["owner", "job-3"],
      ["late", "job-5"],
    ],
    unknown: [
      ["wrong", "process_ended", ["job-1", "job-4", "job-new"]],
      ["undone", "process_ended", ["job-1", "job-4", "job-new"]],
    ],
  });
});

test("a broken answer keeps its job as the only candidate", async () => {
  const failed = { outcome: "unknown", code: "decode", jobId: "job-7" };
  const opened = await recoverFrom([intentOf("broken"), lineOf("broken", "failed", failed)]);

  expect(short(opened).unknown).toEqual([["broken", "decode", ["job-7"]]]);
  expect(opened.recovered.unknown[0]?.jobId).toBe("job-7");
});

test("damaged lines are told of at each opening, and a torn one is none", async () => {
  const damaged = intentOf("damaged").replace("prompt of", "prompt if");
  const foreign = lineOf("later", "intent").replace('"v":1', '"v":2');
  const later = foreign.slice(9);
  const whole = intentOf("whole");
  const opened = await recoverFrom(
    [damaged, `${checksum(later)} ${later}`, whole],
    accepted("whole", "job-1").slice(0, -1),
  );

  for (const { recovered } of [opened, await opened.recover()]) {
    expect(recovered.damaged.map(({ text }) => text)).toEqual([
      damaged,
      `${checksum(later)} ${later}`,
    ]);
    expect(recovered.unknown.map(({ id }) => id)).toEqual(["whole"]);
  }
});

test("a file or a link that lies where the new one is written gets none of its records", async () => {
  const victim = `${path}.victim`;
  writeFileSync(victim, "another file\n");
  chmodSync(victim, 0o644);
  symlinkSync(victim, `${path}.new`);
  await recoverFrom([intentOf("answered"), accepted("answered", "job-1")]);
  expect(readFileSync(victim, "utf8")).toBe("another file\n");
  expect(lstatSync(path).isFile()).toBe(true);
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
});
