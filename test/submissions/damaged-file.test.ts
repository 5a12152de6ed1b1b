import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type FileStore, openFileStore } from "../../src/submissions-file.ts";
import { rejection } from "../helpers/client.ts";
import {
  folder,
  handlePrototype,
  next,
  opened,
  openStore,
  path,
  useFolders,
  writeMany,
} from "./file-stores.ts";

useFolders();

const header = "adgen-sdk submissions 1\n";

/** Texts of the damaged lines that a store tells of. */
const damagedIn = async (store: FileStore): Promise<string[]> =>
  (await store.list("open", 99)).map(({ text }) => text);

/** Reads each record, and the list. */
const seenOf = async (store: FileStore, ids: readonly string[]): Promise<unknown> => {
  const records = await Promise.all(ids.map((id) => store.get(id)));
  return [records.map((record) => record?.rev), (await store.list("l", 99)).map(({ id }) => id)];
};

/**
 * Places in a file: each at the ends of its lines, and every fifth between them. The long form,
 * `npm run test:submissions`, takes each.
 */
const placesIn = (whole: Buffer, start = 0): number[] => {
  const places = Array.from({ length: whole.length - start }, (_, at) => start + at);
  if (process.env["SUBMISSION_RUNS"] !== undefined) return places;
  return places.filter((at) => at % 5 === 0 || whole.subarray(at - 3, at + 3).includes(10));
};

describe("a file that was cut off", () => {
  it("at any byte, holds every swap whose fsync it had", async () => {
    const ids = ["a", "☀️"];
    const store = await openStore();
    const states = [{ size: readFileSync(path).length, seen: await seenOf(store, ids) }];
    const note = async (...steps: Promise<unknown>[]): Promise<void> => {
      await Promise.all(steps);
      states.push({ size: readFileSync(path).length, seen: await seenOf(store, ids) });
    };
    await note(
      store.swap("a", "", next("1", { list: "l" })),
      store.swap("☀️", "", next("1", { list: "l" })),
    );
    await note(store.swap("a", "1", { ...next("2"), ttlMs: 3_600_000 }));
    await note(store.swap("☀️", "1"));
    await note(store.swap("☀️", "", next("3", { list: "l" })));
    await store.close();
    const whole = readFileSync(path);
    // The disk has had its test; a thousand of its syncs take long.
    const prototype = await handlePrototype();
    for (const name of ["sync", "datasync"] as const) {
      vi.spyOn(prototype, name).mockResolvedValue();
    }

    // Of two swaps that share an fsync, one alone may stand when that was cut short.
    const shared = states[1];
    const isBetween = (length: number): boolean =>
      length > (states[0]?.size ?? 0) && length + 1 < (shared?.size ?? 0);
    const cutAt = async (length: number, place: string): Promise<void> => {
      writeFileSync(place, whole.subarray(0, length));
      const cut = await openFileStore(place);
      // A line that lacks nothing but its line feed is whole.
      const kept = states.filter(({ size }) => size <= length + 1).at(-1) ?? states[0];
      const seen = await seenOf(cut, ids);
      const may = isBetween(length) ? [states[0]?.seen, [["1", undefined], ["a"]]] : [kept?.seen];
      expect([length, may]).toEqual([length, expect.arrayContaining([seen])]);
      expect([length, await damagedIn(cut)]).toEqual([length, []]);
      await cut.close();
      const end = Math.max(header.length, whole.lastIndexOf(10, length) + 1);
      expect([length, readFileSync(place).length]).toEqual([length, end]);
    };
    for (const length of [...placesIn(whole), whole.length]) await cutAt(length, `${path}.cut`);
  });

  it("and ends in zeros is read once", async () => {
    const store = await openStore();
    await store.swap("a", "", next("1"));
    await store.close();
    const whole = readFileSync(path);
    const zeros = 16 * 1_048_576;
    writeFileSync(path, Buffer.concat([whole, Buffer.alloc(zeros)]));
    const concat = vi.spyOn(Buffer, "concat");

    const again = await openStore();

    expect([(await again.get("a"))?.rev, await damagedIn(again)]).toEqual(["1", []]);
    expect(readFileSync(path).equals(whole)).toBe(true);
    const joined = concat.mock.results.reduce((sum, { value }) => sum + value.length, 0);
    expect(joined).toBeLessThan(2 * zeros);
  });

  it("is cut where the copy of it was not written to its end", async () => {
    const store = await openStore();
    await store.swap("a", "", next("1"));
    await store.close();
    copyFileSync(path, `${path}.new`);
    truncateSync(`${path}.new`, header.length + 5);

    expect(await (await openStore()).get("a")).toMatchObject({ rev: "1" });
  });
});

describe("a damaged line", () => {
  const damage = (text: string): string => {
    const before = readFileSync(path, "utf8");
    expect(before.split(text)).toHaveLength(2);
    const after = before.replace(text, text.replace(/.$/, "X"));
    writeFileSync(path, after);
    return after.split("\n").find((line) => line.includes(text.replace(/.$/, "X"))) ?? "";
  };

  const writeThree = async (): Promise<void> => {
    const store = await openStore();
    await store.swap("a", "", next("1"));
    for (const id of ["a", "b"])
      await store.swap(id, id === "a" ? "1" : "", next(`${id}2`, { list: "l" }));
    await store.close();
  };

  it("is told of, and its id is neither free nor as it was", async () => {
    await writeThree();
    const line = damage("text of a2");

    const store = await openStore();
    const there = await store.swap("a", "", next("3"));

    expect(await damagedIn(store)).toEqual([line]);
    expect(there).toMatchObject({ id: "a", text: line });
    expect((await store.swap("a", "1", next("3")))?.text).toBe(line);
    expect((await store.get("b"))?.rev).toBe("b2");
  });

  /** Swaps until the file is written anew, and closes it. */
  const growAndClose = async (store: FileStore): Promise<void> => {
    await writeMany(store, "n", 1_500);
    await store.close();
  };

  it("is kept where the file is written anew, and told of at each opening", async () => {
    await writeThree();
    const line = damage("text of a2");
    await growAndClose(await openStore());

    expect(readFileSync(path, "utf8").split("\n").length).toBeLessThan(100);
    const again = await openStore();
    expect(await damagedIn(again)).toEqual([line]);
    expect((await again.get("a"))?.text).toBe(line);
    expect((await again.get("n"))?.rev).toBe("1500");
  });

  it("leaves the earlier record, once it is removed by hand", async () => {
    await writeThree();
    const line = damage("text of a2");
    await growAndClose(await openStore());
    await (await openStore()).close();
    writeFileSync(path, readFileSync(path, "utf8").replace(`${line}\n`, ""));

    const store = await openStore();

    expect(await damagedIn(store)).toEqual([]);
    expect(await store.get("a")).toMatchObject({ rev: "1", text: "text of 1" });
    expect((await store.get("b"))?.rev).toBe("b2");
  });

  it("leaves a record alone that was written after it", async () => {
    await writeThree();
    const line = damage("text of 1");

    const store = await openStore();

    expect(await damagedIn(store)).toEqual([line]);
    expect((await store.get("a"))?.rev).toBe("a2");
  });

  it("is told of where no id can be read in it", async () => {
    await writeThree();
    writeFileSync(path, readFileSync(path, "utf8").replace('"id":"b"', '"iX:"b"'));

    const store = await openStore();

    expect(await damagedIn(store)).toHaveLength(1);
    expect((await store.get("a"))?.rev).toBe("a2");
  });

  it("may be any byte behind the header", async () => {
    await writeThree();
    const whole = readFileSync(path);
    const prototype = await handlePrototype();
    for (const name of ["sync", "datasync"] as const) {
      vi.spyOn(prototype, name).mockResolvedValue();
    }
    for (const at of placesIn(whole.subarray(0, -1), header.length)) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(path, bytes);
      const store = await openFileStore(path);
      expect([at, (await damagedIn(store)).length > 0]).toEqual([at, true]);
      await store.close();
    }
  });
});

describe("a file that another program touches while it is open", () => {
  it.each<[string, () => void, string]>([
    [
      "was deleted",
      () => rmSync(path),
      "removed or replaced: save what jobs.recover() still gives",
    ],
    ["was renamed", () => renameSync(path, `${path}.1`), "removed or replaced"],
    [
      "was renamed and made anew, as by a rotation of logs",
      () => {
        renameSync(path, `${path}.1`);
        writeFileSync(path, header);
      },
      "removed or replaced",
    ],
    ["was emptied", () => truncateSync(path, 0), "changed by another program: open it again"],
    ["has grown", () => appendFileSync(path, "a line\n"), "changed by another program"],
    [
      "has the lock of another opener",
      () => {
        const lock = readdirSync(folder).find((name) => name.includes(".lock.")) ?? "";
        renameSync(join(folder, lock), join(folder, `${lock}0`));
      },
      "is in use by this process",
    ],
  ])("refuses swaps when the file %s, and still shows its records", async (_, touch, words) => {
    const store = await openStore();
    await store.swap("a", "", next("1", { list: "l" }));

    touch();

    await expect(store.swap("a", "1", next("2"))).rejects.toThrow(words);
    expect((await store.get("a"))?.rev).toBe("1");
    expect(await store.list("l", 9)).toHaveLength(1);
  });
});

describe("openFileStore", () => {
  it.each<[string, () => void, string]>([
    ["a folder that is not there", () => rmSync(folder, { recursive: true }), "ENOENT"],
    ["a file of another kind", () => writeFileSync(path, "hello\nworld\n"), "holds no submissions"],
    [
      "a later version",
      () => writeFileSync(path, "adgen-sdk submissions 2\n"),
      "or those of a newer version: give another path",
    ],
    ["a folder of that name", () => mkdirSync(path), "is no file: give the path of one"],
  ])("refuses %s", async (_, prepare, words) => {
    prepare();

    const error = await rejection(openFileStore(path));

    expect(error.message).toContain(words);
    if (existsSync(folder)) expect(readdirSync(folder)).toHaveLength(1);
  });

  it("says that the first line is damaged", async () => {
    const store = await openStore();
    await store.swap("a", "", next("1"));
    await store.close();
    const bytes = readFileSync(path);
    bytes[3] = 0x58;
    writeFileSync(path, bytes);

    expect((await rejection(openFileStore(path))).message).toBe(
      `The first line of ${path} is damaged, and its records are there: ` +
        'make that line "adgen-sdk submissions 1" again, and keep the others',
    );
    expect(readFileSync(path)).toEqual(bytes);
  });

  it("refuses a folder that cannot be written", async () => {
    chmodSync(folder, 0o500);
    // No rights of a folder hold up root, but nobody can write there.
    const target = process.getuid?.() === 0 ? "/proc/submissions" : path;

    const error = await rejection(openFileStore(target));

    const code = expect.stringMatching(/^(EACCES|ENOENT|EPERM|EROFS)$/);
    expect(error).toMatchObject({ cause: { code } });
  });

  it("is refused to a second opener, by whatever name of the file", async () => {
    const link = join(folder, "link");
    symlinkSync(path, link);
    symlinkSync(folder, join(folder, "here"));
    // The link comes before its file.
    expect((await openStore(link)).path).toBe(path);

    for (const other of [path, link, join(folder, "here", "submissions")]) {
      expect((await rejection(openFileStore(other))).message).toBe(
        `The file ${path} is in use by this process (${process.pid}): ` +
          "close it there, or give this process a path of its own",
      );
    }
    await opened[0]?.close();
    await openStore();
  });

  it("refuses a hard link, which would have another lock", async () => {
    const other = join(folder, "other");
    await openStore();
    linkSync(path, other);

    const error = await rejection(openFileStore(other));

    expect(error.message).toContain(`${other} has 2 names (hard links)`);
  });

  it("gives a file to one of many that open it at once", async () => {
    const openings = await Promise.allSettled(Array.from({ length: 6 }, () => openStore()));

    expect(openings.filter(({ status }) => status === "fulfilled").length).toBe(1);
  });
});
