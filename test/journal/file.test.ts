import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileJournal, openFileJournal } from "adgen-sdk/journal/file";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queued, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

let folder = "";
let path = "";
const opened: FileJournal[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), "adgen-journal-"));
  path = join(folder, "submissions.journal");
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const journal of opened.splice(0)) await journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const openJournal = async (): Promise<FileJournal> => {
  const journal = await openFileJournal(path);
  opened.push(journal);
  return journal;
};

/** A service that numbers its jobs. */
const listenCounting = async () => {
  const charged: { job_id: string; status: string }[] = [];
  const answer: Answer = (response, request) => {
    if (request.method === "GET") return success({ jobs: charged })(response, request);
    const job_id = `job-${charged.length + 1}`;
    charged.push({ job_id, status: "queued" });
    return queued(job_id)(response, request);
  };
  return { ...(await listen(answer)), charged };
};

const openClient = async (server: { readonly url: string }) => {
  const journal = await openJournal();
  return { journal, jobs: clientOf(server, { journal }).jobs };
};

const linesOf = (): string[] => readFileSync(path, "utf8").trimEnd().split("\n");

/** The prototype of Node's file handles, which the module does not export. */
const handlePrototype = async (): Promise<FileHandle> => {
  const handle = await open(folder, "r");
  await handle.close();
  return Object.getPrototypeOf(handle);
};

/** Makes texts of 2 MB too long, as those of 512 MiB are. */
const refuseLongTexts = (): void => {
  const textOf = Buffer.prototype.toString;
  vi.spyOn(Buffer.prototype, "toString").mockImplementation(function (this: Buffer, ...given) {
    const [, start = 0, end = this.length] = given as [string?, number?, number?];
    if (end - start > 2_000_000) throw new Error("Cannot create a string longer than 0x1fffffe8");
    return Reflect.apply(textOf, this, given);
  });
};

describe("a journal in a file", () => {
  it("keeps submissions for the next process, and never the key", async () => {
    const server = await listenCounting();
    const first = await openClient(server);
    await first.jobs.submit(paidJob);
    await first.jobs.submit({ ...paidJob, prompt: "Zwei\nZeilen ☀️" });
    await first.journal.close();

    const { jobs } = await openClient(server);

    expect(await jobs.recover()).toMatchObject({
      waiting: [{ job_id: "job-1" }, { job_id: "job-2", request: { prompt: "Zwei\nZeilen ☀️" } }],
      unknown: [],
      damaged: [],
    });
    expect(readFileSync(path, "utf8")).not.toContain(testKey);
    expect(linesOf()).toHaveLength(5);
  });

  it("can be read by its owner alone", async () => {
    await openJournal();

    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const name of readdirSync(folder))
      expect(statSync(join(folder, name)).mode & 0o77).toBe(0);
  });

  it("shares an fsync among the submissions of a moment", async () => {
    const server = await listenCounting();
    const { jobs } = await openClient(server);
    const datasync = vi.spyOn(await handlePrototype(), "datasync");

    await Promise.all(Array.from({ length: 100 }, () => jobs.submit(paidJob)));

    expect(linesOf()).toHaveLength(201);
    expect(datasync.mock.calls.length).toBeLessThan(60);
    expect(new Set((await jobs.recover()).waiting.map(({ job_id }) => job_id)).size).toBe(100);
  });

  it("refuses submissions once it is closed", async () => {
    const server = await listenCounting();
    const { journal, jobs } = await openClient(server);
    await journal.close();
    await journal.close();

    const error = await rejection(jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "journal", outcome: "not-sent" });
    expect(error.message).toContain(`${path} is closed: open it again`);
    expect(server.received).toEqual([]);
  });

  it("refuses submissions when its file or its lock was removed", async () => {
    const server = await listenCounting();
    const { jobs } = await openClient(server);
    for (const name of readdirSync(folder)) {
      unlinkSync(join(folder, name));
      expect(await rejection(jobs.submit(paidJob))).toMatchObject({
        code: "journal",
        message: expect.stringContaining("was removed"),
      });
    }
    expect(server.received).toEqual([]);
  });
});

describe("a disk that fails", () => {
  it("refuses one submission, and takes the next without a trace of the first", async () => {
    const server = await listenCounting();
    const { journal, jobs } = await openClient(server);
    const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    const prototype = await handlePrototype();
    const { write } = prototype;
    // Half of the record gets onto the disk.
    const failing = vi.spyOn(prototype, "write").mockImplementation(async function (
      this: FileHandle,
      ...given: unknown[]
    ) {
      const [bytes, offset, length, at] = given as [Uint8Array, number, number, number];
      await Reflect.apply(write, this, [bytes, offset, Math.floor(length / 2), at]);
      throw full;
    } as never);
    vi.spyOn(console, "error").mockImplementation(() => {});

    const error = await rejection(jobs.submit(paidJob));
    failing.mockRestore();
    await jobs.submit(paidJob);

    expect(error).toMatchObject({
      code: "journal",
      outcome: "not-sent",
      cause: { code: "ENOSPC" },
    });
    expect(await jobs.recover()).toMatchObject({ waiting: [{}], unknown: [], damaged: [] });
    await journal.close();
    expect(await (await openClient(server)).jobs.recover()).toMatchObject({
      waiting: [{}],
      unknown: [],
      damaged: [],
    });
  });

  it("that has not taken a job's id gets it at the end, or it is printed", async () => {
    const server = await listenCounting();
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const prototype = await handlePrototype();
    const { datasync } = prototype;
    const last = () => String(printed.mock.calls.at(-1)?.join(" "));

    for (const isRepaired of [false, true]) {
      const { journal, jobs } = await openClient(server);
      let count = 0;
      const failing = vi.spyOn(prototype, "datasync").mockImplementation(function (
        this: FileHandle,
      ) {
        // The first is that of the intent.
        return count++ === 0
          ? Reflect.apply(datasync, this, [])
          : Promise.reject(new Error("EIO: i/o error"));
      });
      const { job_id } = await jobs.submit(paidJob);
      if (isRepaired) failing.mockRestore();
      await journal.close();
      failing.mockRestore();

      if (isRepaired) expect(last()).not.toContain("is closed without");
      else
        expect(last()).toBe(`adgen-sdk: the journal ${path} is closed without the jobs ${job_id}`);
    }
    const { waiting, unknown } = await (await openClient(server)).jobs.recover();
    expect(waiting).toMatchObject([{ job_id: "job-2" }]);
    expect(unknown).toHaveLength(1);
  });

  it("that has not taken the end of a job loses no job by it", async () => {
    const server = await listen(queued("a"), success({ status: "completed", result: 1 }));
    const { journal, jobs } = await openClient(server);
    await jobs.submit(paidJob);
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const failing = vi.spyOn(await handlePrototype(), "write");
    failing.mockRejectedValue(new Error("ENOSPC: no space left"));

    await jobs.get("a");
    await rejection(journal.acknowledge("a"));
    await journal.close();
    failing.mockRestore();

    const lines = printed.mock.calls.map(([line]) => String(line));
    expect(lines).toContainEqual(expect.stringContaining("could not keep a record"));
    expect(lines).not.toContainEqual(expect.stringContaining("is closed without"));
    const { waiting } = await (await openClient(server)).jobs.recover();
    expect(waiting).toMatchObject([{ job_id: "a" }]);
  });

  it("refuses a submission whose fsync fails", async () => {
    const server = await listenCounting();
    const { jobs } = await openClient(server);
    const cause = Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
    vi.spyOn(await handlePrototype(), "datasync").mockRejectedValue(cause);

    expect(await rejection(jobs.submit(paidJob))).toMatchObject({ code: "journal", cause });
    expect(server.received).toEqual([]);
    expect(linesOf()).toHaveLength(2);
  });
});

describe("openFileJournal", () => {
  it.each<[string, () => void, string]>([
    ["a folder that is not there", () => rmSync(folder, { recursive: true }), "ENOENT"],
    ["a file of another kind", () => writeFileSync(path, "hello\nworld\n"), "is no journal"],
    ["a later version", () => writeFileSync(path, "adgen-sdk journal 2\n"), "newer version"],
  ])("refuses %s", async (_, prepare, words) => {
    prepare();

    const error = await rejection(openFileJournal(path));

    expect(error).toMatchObject({ name: "JournalError", code: "journal" });
    expect(error.message).toContain(words);
    if (existsSync(folder)) expect(readdirSync(folder)).toHaveLength(1);
  });

  it("says that the first line of a journal is damaged", async () => {
    const server = await listenCounting();
    const { journal, jobs } = await openClient(server);
    await jobs.submit(paidJob);
    await journal.close();
    const bytes = readFileSync(path);
    bytes[3] = 0x58;
    writeFileSync(path, bytes);

    const error = await rejection(openFileJournal(path));

    expect(error.message).toBe(
      `The first line of the journal ${path} is damaged, and its records are there: ` +
        'make that line "adgen-sdk journal 1" again, and keep the others',
    );
    expect(readFileSync(path)).toEqual(bytes);
  });

  it("refuses a folder that cannot be written", async () => {
    chmodSync(folder, 0o500);
    // No rights of a folder hold up root, but nobody can write there.
    const target = process.getuid?.() === 0 ? "/proc/ads.journal" : path;

    const error = await rejection(openFileJournal(target));

    const code = expect.stringMatching(/^(EACCES|ENOENT|EPERM|EROFS)$/);
    expect(error).toMatchObject({ code: "journal", cause: { code } });
  });

  it("is refused to a second opener, by path and process", async () => {
    await openJournal();

    const error = await rejection(openFileJournal(path));

    expect(error.message).toBe(
      `The journal ${path} is in use by this process (${process.pid}): ` +
        "close it there, or give this process a path of its own",
    );
    const [journal] = opened;
    await journal?.close();
    await openJournal();
  });

  it("is refused to a second opener by another name of the file", async () => {
    await openJournal();
    symlinkSync(path, join(folder, "link"));
    symlinkSync(folder, join(folder, "here"));

    for (const other of ["link", "here/submissions.journal"]) {
      const error = await rejection(openFileJournal(join(folder, other)));
      expect(error.message).toContain(`The journal ${path} is in use`);
    }
  });

  it("takes a file from a process that was killed, and not from one that lives", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], {
      stdio: "ignore",
    });
    const { pid = 0 } = child;
    await openJournal();
    const [lock = ""] = readdirSync(folder).filter((name) => name.includes(".lock."));
    await opened.pop()?.close();
    const began = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[21];
    const ofChild = lock.replace(/\.lock\.\d+\.\d+/, `.lock.${pid}.${began}`);
    writeFileSync(join(folder, ofChild), "");
    utimesSync(join(folder, ofChild), 1, 1);

    expect((await rejection(openFileJournal(path))).message).toContain(`by process ${pid}:`);
    child.kill("SIGKILL");
    await once(child, "close");
    await openJournal();

    expect(readdirSync(folder)).not.toContain(ofChild);
  });

  it("is refused at the first sign of life from another container", async () => {
    await openJournal();
    const [lock = ""] = readdirSync(folder).filter((name) => name.includes(".lock."));
    await opened.pop()?.close();
    const foreign = join(folder, lock.replace(/\.[0-9a-f]{8}\.([0-9a-f]+)$/, ".00000000.$1"));
    writeFileSync(foreign, "");
    const earlier = Date.now() / 1000 - 1;
    utimesSync(foreign, earlier, earlier);
    const refused = rejection(openFileJournal(path));
    setTimeout(() => utimesSync(foreign, new Date(), new Date()), 50);

    expect((await refused).message).toContain("of another machine or container: close it there");
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("gives a file to one of many that open it at once", async () => {
    const openings = await Promise.allSettled(Array.from({ length: 6 }, openJournal));

    expect(openings.filter(({ status }) => status === "fulfilled").length).toBe(1);
  });
});

describe("a file that was cut off", () => {
  it("at any byte, loses no more than its last record", { timeout: 30_000 }, async () => {
    const server = await listenCounting();
    const { journal, jobs } = await openClient(server);
    await jobs.submit(paidJob);
    await journal.close();
    const whole = readFileSync(path);
    const jobsNow = { list: async () => ({ items: server.charged, meta: {} }), get: vi.fn() };
    // The disk has had its test above; a thousand of its syncs take long.
    const prototype = await handlePrototype();
    vi.spyOn(prototype, "sync").mockResolvedValue();
    const text = whole.toString();

    for (let length = 0; length <= whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      const cut = await openFileJournal(path);
      const recovered = await cut.recover(undefined, jobsNow as never);
      const { waiting, unknown, finished, damaged } = recovered;
      await cut.close();
      // A line that lacks nothing but its line feed is whole.
      const kept = length > 20 && text[length] === "\n" ? length + 1 : length;
      const lines = Math.max(0, text.slice(0, kept).split("\n").length - 2);
      expect([length, waiting.length, unknown.length]).toEqual([
        length,
        Math.floor(lines / 2),
        lines % 2,
      ]);
      expect([...finished, ...damaged]).toEqual([]);
      for (const { candidates } of unknown) expect(candidates).toEqual(server.charged);
      const rest = kept && text.slice(0, text.lastIndexOf("\n", kept - 1) + 1);
      expect(readFileSync(path, "utf8")).toBe(rest || "adgen-sdk journal 1\n");
    }
  });

  it("and ends in zeros is read once", async () => {
    const server = await listenCounting();
    const { journal, jobs } = await openClient(server);
    await jobs.submit(paidJob);
    await journal.close();
    const whole = readFileSync(path);
    const zeros = 16 * 1_048_576;
    writeFileSync(path, Buffer.concat([whole, Buffer.alloc(zeros)]));
    const concat = vi.spyOn(Buffer, "concat");
    refuseLongTexts();

    const { waiting, damaged } = await (await openClient(server)).jobs.recover();

    expect([waiting.length, damaged]).toEqual([1, []]);
    expect(readFileSync(path).equals(whole)).toBe(true);
    const joined = concat.mock.results.reduce((sum, { value }) => sum + value.length, 0);
    expect(joined).toBeLessThan(2 * zeros);
  });

  it("in its middle is told, and nothing of it is dropped", async () => {
    const server = await listenCounting();
    const { journal, jobs } = await openClient(server);
    for (const prompt of ["a", "b"]) await jobs.submit({ ...paidJob, prompt });
    await journal.close();
    const before = linesOf();
    const bytes = readFileSync(path);
    bytes[bytes.indexOf("job-1")] = 0x58;
    writeFileSync(path, bytes);

    const { damaged, unknown, waiting } = await (await openClient(server)).jobs.recover();

    expect(damaged).toEqual([before[2]?.replace("job-1", "Xob-1")]);
    expect(unknown).toMatchObject([
      { request: { prompt: "a" }, candidates: [{ job_id: "job-1" }] },
    ]);
    expect(waiting).toMatchObject([{ job_id: "job-2" }]);
    expect(linesOf()).toHaveLength(5);
  });
});

describe("a large file", () => {
  const requestOf = (index: number) => ({
    ...paidJob,
    prompt: `☀️ ${index}`,
    ...Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`f${at}`, "x".repeat(200)])),
  });

  const submitMany = async (journal: FileJournal, count: number): Promise<void> => {
    const indexes = Array.from({ length: count }, (_, index) => index);
    const submit = async (index: number): Promise<void> => {
      const body = requestOf(index);
      const submission = journal.track({ body, json: "{}", url: undefined });
      await submission.begin();
      await submission.accepted(`job-${index}`, 60_000);
    };
    await Promise.all(indexes.map(submit));
  };

  it("is read in pieces, because no text holds 512 MiB", async () => {
    const first = await openJournal();
    await submitMany(first, 700);
    await first.close();
    expect(statSync(path).size).toBeGreaterThan(2.2 * 1_048_576);
    refuseLongTexts();

    const { waiting, damaged } = await (await openJournal()).recover({}, {} as never);

    expect(damaged).toEqual([]);
    const prompts = new Set(waiting.map(({ request }) => request["prompt"]));
    expect(prompts).toEqual(new Set(waiting.map((_, index) => `☀️ ${index}`)));
    expect(waiting).toHaveLength(700);
  });

  it("keeps of closed submissions the jobs alone, once it has doubled", async () => {
    const journal = await openJournal();
    await submitMany(journal, 500);
    const jobs = Array.from({ length: 499 }, (_, index) => `job-${index}`);

    await Promise.all(jobs.map((job) => journal.acknowledge(job)));
    await submitMany(journal, 200);
    await vi.waitFor(() => expect(statSync(path).size).toBeLessThan(1_300_000));

    const service = {
      list: async () => ({ items: jobs.map((job_id) => ({ job_id, status: "queued" })), meta: {} }),
      get: vi.fn(),
    };
    await journal.track({ body: paidJob, json: "{}", url: undefined }).begin();
    await journal.close();
    const { waiting, unknown, damaged } = await (await openJournal()).recover({}, service as never);
    expect(waiting).toHaveLength(201);
    expect(unknown).toMatchObject([{ candidates: [] }]);
    expect(damaged).toEqual([]);
  });
});

describe("a file that is old", () => {
  it("is written anew without what ended more than a week ago", async () => {
    const server = await listenCounting();
    const { journal, jobs } = await openClient(server);
    for (const prompt of ["a", "b", "c"]) await jobs.submit({ ...paidJob, prompt });
    for (const id of ["job-1", "job-3"]) await journal.acknowledge(id);
    await journal.close();
    const { ino } = statSync(path);
    const later = Date.now() + 8 * 24 * 3_600_000;
    vi.spyOn(Date, "now").mockReturnValue(later);

    const next = await openClient(server);
    await vi.waitFor(() => expect(linesOf()).toHaveLength(3));
    await next.jobs.submit({ ...paidJob, prompt: "d" });

    expect(statSync(path).ino).not.toBe(ino);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(linesOf()).toHaveLength(5);
    const { waiting } = await next.jobs.recover();
    expect(waiting.map(({ request }) => request["prompt"]).sort()).toEqual(["b", "d"]);
    expect(readdirSync(folder)).toHaveLength(2);
  });
});
