// The store of the guide about limits and owners, in a file.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ProxyStore } from "adgen-sdk/proxy";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { writeRecipe } from "../helpers/recipes.ts";

const folder = writeRecipe("docs/guides/limits-and-owners.md");
const { createSqliteStore } = await import(pathToFileURL(join(folder, "sqlite-store.ts")).href);

let one: ProxyStore;
let other: ProxyStore;

beforeEach(({ task }) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  one = createSqliteStore(join(folder, `${task.id}.db`));
  other = createSqliteStore(join(folder, `${task.id}.db`));
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the guide's own store, opened twice,", () => {
  test("lets one of two writers win, until the value's time is over", async () => {
    expect(await one.setIfAbsent("key", "first", { ttlMs: 1000 })).toBe(true);
    expect(await other.setIfAbsent("key", "second", { ttlMs: 1000 })).toBe(false);
    expect(await other.get("key")).toBe("first");

    vi.advanceTimersByTime(1000);
    expect(await one.get("key")).toBeUndefined();
    expect(await other.setIfAbsent("key", "second", {})).toBe(true);
    vi.advanceTimersByTime(1e12);
    expect(await one.get("key")).toBe("second");
  });

  test("writes over a value, and removes it", async () => {
    await one.set("key", "first", {});
    await other.set("key", "second", {});
    expect(await one.get("key")).toBe("second");

    await one.remove("key");
    await one.remove("key");
    expect(await other.get("key")).toBeUndefined();
  });

  test("lists the newest keys first, and forgets what is over", async () => {
    await one.setIfAbsent("a", "", { list: "of anna", ttlMs: 500 });
    await one.setIfAbsent("b", "", { list: "of anna" });
    await other.setIfAbsent("c", "", { list: "of anna" });
    await one.setIfAbsent("d", "", { list: "of bert" });
    expect(await other.list("of anna", 10)).toEqual(["c", "b", "a"]);
    expect(await other.list("of anna", 2)).toEqual(["c", "b"]);

    vi.advanceTimersByTime(500);
    expect(await one.list("of anna", 10)).toEqual(["c", "b"]);
  });

  test("adds up to a number and no further, and takes back", async () => {
    const added: boolean[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      added.push(await (turn % 2 === 0 ? one : other).add("sum", 2, 7, 1000));
    }
    expect(added).toEqual([true, true, true, false, false]);
    expect(await one.get("sum")).toBe("6");
    expect(await other.add("sum", 1.5, 7.5, 1000)).toBe(true);
    // Gives back, also where the limit has become smaller.
    expect(await other.add("sum", -1.4, 1, 1000)).toBe(true);
    expect(await one.get("sum")).toBe("6.1");
    expect(await one.add("sum", 0.9, 7, 1000)).toBe(true);
    expect(await one.add("sum", -9, 7, 1000)).toBe(true);
    expect(await one.get("sum")).toBe("0");
    await one.add("new", 8, 7, 1000);
    await one.add("new", -1, 7, 1000);
    expect(await one.get("new")).toBeUndefined();

    vi.advanceTimersByTime(1000);
    expect(await one.add("sum", 7, 7, 1000)).toBe(true);
    expect(await other.get("sum")).toBe("7");
  });
});
