import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { checksum } from "../../src/lock/checksum.ts";
import { type FileStore, openFileStore } from "../../src/submissions-file.ts";
import { rejection } from "../helpers/client.ts";
import {
  disk,
  folder,
  idsOf,
  linesOf,
  next,
  onList,
  opened,
  openStore,
  path,
  reopen,
  revsOf,
  stored,
  useFolders,
  writeMany,
} from "./file-stores.ts";

useFolders();

const header = "adgen-sdk submissions 1\n";

/** Texts of the damaged lines that a store tells of. */
const damagedIn = async (store: FileStore): Promise<string[]> =>
  (await store.list("open", 99)).map(({ text }) => text);

/** Reads each record, and the list. */
const seenOf = async (store: FileStore): Promise<unknown> => [
  await store.get("a"),
  await store.get("☀️"),
  await idsOf(store, "l"),
];

/**
 * Places in a file: each at the ends of its lines, and every fifth between them. The long form,
 * `npm run test:submissions`, takes each.
 */
const placesIn = (whole: Buffer, start = 0): number[] => {
  const places = Array.from({ length: whole.length - start }, (_, at) => start + at);
  if (process.env["SUBMISSION_RUNS"] !== undefined) return places;
  return places.filter((at) => at % 5 === 0 || whole.subarray(at - 3, at + 3).includes(10));
};

/** The disk has had its test; a thousand of its syncs take long. */
const hurryDisk = (): void => {
  for (const name of ["sync", "datasync"] as const) vi.spyOn(disk, name).mockResolvedValue();
};

describe("a file that was cut off", () => {
  test("at any byte, holds every swap whose fsync it had", async () => {
    const store = await openStore();
    const states: { size: number; seen: unknown }[] = [];
    const note = async (...steps: Promise<unknown>[]): Promise<void> => {
      await Promise.all(steps);
      states.push({ size: fs.readFileSync(path).length, seen: await seenOf(store) });
    };
    await note();
    await note(store.swap("a", "", onList("1")), store.swap("☀️", "", onList("1")));
    await note(store.swap("a", "1", { ...next("2"), ttlMs: 3_600_000 }));
    await note(store.swap("☀️", "1"));
    await note(store.swap("☀️", "", onList("3")));
    await store.close();
    const whole = fs.readFileSync(path);
    hurryDisk();

    const [first = { size: 0, seen: [] }, shared] = states;
    const place = `${path}.cut`;
    for (const length of [...placesIn(whole), whole.length]) {
      fs.writeFileSync(place, whole.subarray(0, length));
      const cut = await openFileStore(place);
      // A line that lacks nothing but its line feed is whole.
      const kept = states.filter(({ size }) => size <= length + 1).at(-1) ?? first;
      // Of two swaps that share an fsync, one alone may stand when that was cut short.
      const isBetween = length > first.size && length + 1 < (shared?.size ?? 0);
      const may = isBetween ? [first.seen, [stored("a", "1"), undefined, ["a"]]] : [kept.seen];
      expect([length, may]).toEqual([length, expect.arrayContaining([await seenOf(cut)])]);
      expect([length, await damagedIn(cut)]).toEqual([length, []]);
      await cut.close();
      const end = Math.max(header.length, whole.lastIndexOf(10, length) + 1);
      expect([length, fs.readFileSync(place).length]).toEqual([length, end]);
    }
  });

  test("and ends in zeros loses them alone", async () => {
    await (await openStore()).swap("a", "", next("1"));
    await opened[0]?.close();
    const whole = fs.readFileSync(path);
    fs.appendFileSync(path, Buffer.alloc(1_048_576));
    const again = await openStore();
    expect([await revsOf(again, "a"), await damagedIn(again)]).toEqual([["1"], []]);
    expect(fs.readFileSync(path).equals(whole)).toBe(true);
  });
});

describe("a damaged line", () => {
  const damage = (text: string, damaged: string): string => {
    const before = fs.readFileSync(path, "utf8");
    expect(before.split(text)).toHaveLength(2);
    fs.writeFileSync(path, before.replace(text, damaged));
    return linesOf().find((line) => line.includes(damaged)) ?? "";
  };

  const writeThree = async (): Promise<void> => {
    const store = await openStore();
    await store.swap("a", "", next("1"));
    await store.swap("a", "1", onList("a2"));
    await store.swap("b", "", onList("b2"));
    await store.close();
  };

  test("is told of at each opening, and its id is not free, until it is removed by hand", async () => {
    await writeThree();
    const line = damage("text of a2", "text if a2");
    let store = await openStore();
    for (const isAnew of [false, true]) {
      expect(await damagedIn(store)).toEqual([line]);
      expect(await store.swap("a", "", next("3"))).toMatchObject({ id: "a", text: line });
      expect(await store.swap("a", "1", next("3"))).toMatchObject({ id: "a", text: line });
      expect(await revsOf(store, "b", "n")).toEqual(["b2", isAnew ? "1500" : undefined]);
      if (!isAnew) await writeMany(store, "n", 1_500);
      store = await reopen(store);
    }
    expect(linesOf().length).toBeLessThan(100);
    await store.close();
    fs.writeFileSync(path, fs.readFileSync(path, "utf8").replace(`${line}\n`, ""));

    store = await openStore();

    expect(await damagedIn(store)).toEqual([]);
    expect(await store.get("a")).toEqual(stored("a", "1"));
    expect(await revsOf(store, "b")).toEqual(["b2"]);
  });

  test("may be any byte behind the header: it is told of, and no other record is lost", async () => {
    await writeThree();
    const whole = fs.readFileSync(path);
    const ends = [...whole.keys()].filter((at) => whole[at] === 10);
    hurryDisk();
    for (const at of placesIn(whole.subarray(0, -1), header.length)) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      fs.writeFileSync(path, bytes);
      const store = await openFileStore(path);
      expect([at, (await damagedIn(store)).length > 0]).toEqual([at, true]);
      // The lines are: header, session, twice a, b. A lost line feed damages two of them.
      const line = ends.findIndex((end) => at <= end);
      const hit = [line, whole[at] === 10 ? line + 1 : line];
      if (!hit.includes(3)) expect([at, ...(await revsOf(store, "a"))]).toEqual([at, "a2"]);
      if (!hit.includes(4)) expect([at, ...(await revsOf(store, "b"))]).toEqual([at, "b2"]);
      await store.close();
    }
  });
});

describe("a file that another program touches while it is open", () => {
  const rename = () => fs.renameSync(path, `${path}.1`);
  const rotate = () => {
    rename();
    fs.writeFileSync(path, header);
  };
  const takeLock = () => {
    const lock = fs.readdirSync(folder).find((name) => name.includes(".lock.")) ?? "";
    fs.renameSync(join(folder, lock), join(folder, `${lock}0`));
  };
  const isGone = "removed or replaced: save what jobs.recover() still gives";
  const isOthers = "changed by another program: open it again";

  test.each<[string, () => void, string]>([
    ["was deleted", () => fs.rmSync(path), isGone],
    ["was renamed", rename, isGone],
    ["was renamed and made anew, as by a rotation of logs", rotate, isGone],
    ["was emptied", () => fs.truncateSync(path, 0), isOthers],
    ["has grown", () => fs.appendFileSync(path, "a line\n"), isOthers],
    ["has the lock of another opener", takeLock, "is in use by this process"],
  ])("refuses swaps when the file %s, and still shows its records", async (_, touch, words) => {
    const store = await openStore();
    await store.swap("a", "", onList("1"));
    touch();
    await expect(store.swap("a", "1", next("2"))).rejects.toThrow(words);
    expect([await revsOf(store, "a"), await idsOf(store, "l")]).toEqual([["1"], ["a"]]);
  });
});

describe("openFileStore", () => {
  const removeFolder = () => fs.rmSync(folder, { recursive: true });
  const write = (text: string) => () => fs.writeFileSync(path, text);
  const linkHard = () => {
    fs.writeFileSync(join(folder, "other"), header);
    fs.linkSync(join(folder, "other"), path);
  };
  const line = `${checksum("{}")} {}`;
  const makeAgain =
    " is damaged, and its records are there: " +
    'make that line "adgen-sdk submissions 1" again, and keep the others';
  const later = "or those of a newer version: give another path";

  test.each<[string, () => void, string]>([
    ["a folder that is not there", removeFolder, "ENOENT"],
    ["a file of another kind", write("hello\nworld\n"), "holds no submissions"],
    ["a later version", write("adgen-sdk submissions 2\n"), later],
    ["records behind a damaged line", write(`adgXn-sdk submissions 1\n${line}\n`), makeAgain],
    ["a folder of that name", () => fs.mkdirSync(path), "is no file: give the path of one"],
    ["a hard link, which would have another lock", linkHard, "has 2 names (hard links)"],
  ])("refuses %s, and leaves no lock", async (_, prepare, words) => {
    prepare();
    const read = () => fs.existsSync(path) && !fs.statSync(path).isDirectory() && linesOf();
    const lines = read();

    expect((await rejection(openFileStore(path))).message).toContain(words);
    expect(read()).toEqual(lines);
    if (!fs.existsSync(folder)) return;
    expect(fs.readdirSync(folder).filter((name) => name !== "other")).toEqual(["submissions"]);
  });

  test.each([
    [undefined, "undefined"],
    ["", "an empty text"],
    [{}, "object"],
  ])("refuses %j as a path, before it touches a file", async (given, kind) => {
    expect(await rejection(openFileStore(given as never))).toMatchObject({
      code: "config",
      message: `openFileStore takes the path of a file, got ${kind}`,
    });
  });

  test("refuses a folder that cannot be written", async () => {
    fs.chmodSync(folder, 0o500);
    // No rights of a folder hold up root, but nobody can write there.
    const target = process.getuid?.() === 0 ? "/proc/submissions" : path;

    const code = expect.stringMatching(/^(EACCES|ENOENT|EPERM|EROFS)$/);
    expect(await rejection(openFileStore(target))).toMatchObject({ cause: { code } });
  });

  test("gives a file to one of many that open it at once, by whatever name of the file", async () => {
    const link = join(folder, "link");
    fs.symlinkSync(path, link);
    fs.symlinkSync(folder, join(folder, "here"));
    // The link comes before its file.
    expect((await openStore(link)).path).toBe(path);
    for (const name of [path, link, join(folder, "here", "submissions")]) {
      expect((await rejection(openFileStore(name))).message).toBe(
        `The file ${path} is in use by this process (${process.pid}): ` +
          "close it there, or give this process a path of its own",
      );
    }
    await opened[0]?.close();

    const openings = await Promise.allSettled(Array.from({ length: 6 }, () => openStore()));

    expect(openings.filter(({ status }) => status === "fulfilled").length).toBe(1);
  });
});
