import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toResult } from "adgen-sdk";
import { openFileJournal } from "adgen-sdk/journal/file";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { queued } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), "adgen-place-"));
  path = join(folder, "submissions.journal");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("two paths to one journal", () => {
  it("has one lock where a link comes before its file", async () => {
    const link = join(folder, "link");
    symlinkSync(path, link);
    const journal = await openFileJournal(link);

    const error = await rejection(openFileJournal(link));
    await journal.close();

    expect(error.message).toContain(`The journal ${path} is in use by this process`);
    expect(journal.path).toBe(path);
  });

  it("is refused by a hard link, which would have another lock", async () => {
    const other = join(folder, "other");
    const journal = await openFileJournal(path);
    linkSync(path, other);

    const error = await rejection(openFileJournal(other));
    await journal.close();

    expect(error).toMatchObject({ code: "journal" });
    expect(error.message).toContain(`${other} has 2 names (hard links)`);
  });

  it("is refused for what is no file", async () => {
    mkdirSync(path);

    expect((await rejection(openFileJournal(path))).message).toBe(
      `${path} is no file: give the path of one`,
    );
  });
});

describe("a journal that another program touches while it is open", () => {
  it.each<[string, () => void, string, isWhole: boolean]>([
    [
      "was deleted",
      () => rmSync(path),
      "removed or replaced: save what jobs.recover() still",
      true,
    ],
    ["was renamed", () => renameSync(path, `${path}.1`), "removed or replaced", true],
    [
      "was renamed and made anew, as by a rotation of logs",
      () => {
        renameSync(path, `${path}.1`);
        writeFileSync(path, "adgen-sdk journal 1\n");
      },
      "removed or replaced",
      true,
    ],
    ["was emptied", () => truncateSync(path, 0), "changed by another program", false],
    ["has grown", () => appendFileSync(path, "a line\n"), "changed by another program", false],
  ])("refuses submissions when the file %s", async (_, touch, words, isWhole) => {
    const server = await listen(queued("job-1"));
    const journal = await openFileJournal(path);
    const { jobs } = clientOf(server, { journal });
    await jobs.submit(paidJob);

    touch();
    const error = await rejection(jobs.submit(paidJob));
    const reading = await toResult(jobs.recover());
    await journal.close();

    expect(error).toMatchObject({ code: "journal", outcome: "not-sent" });
    expect(error.message).toContain(words);
    // What this process has written is all there behind its own handle.
    if (isWhole) expect(reading).toMatchObject({ ok: true, data: { waiting: [{}], unknown: [] } });
    else expect(reading).toMatchObject({ error: { message: expect.stringContaining(words) } });
    expect(server.received).toHaveLength(1);
  });
});
