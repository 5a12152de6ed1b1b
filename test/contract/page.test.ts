import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPage } from "../../src/contract/page.ts";

describe("a list is read from", () => {
  test.each<[string, unknown, unknown[], object]>([
    ["its own field", { jobs: [1, 2] }, [1, 2], {}],
    [
      "its own field, beside other things",
      { total: 9, jobs: [1], next: null },
      [1],
      {
        total: 9,
        next: null,
      },
    ],
    ["its own field, beside other lists", { tags: ["a"], jobs: [1] }, [1], { tags: ["a"] }],
    ["its own field when that is empty", { jobs: [], next: "c" }, [], { next: "c" }],
    ["a bare array", [1, 2], [1, 2], {}],
    ["the only list there is", { items: [1], total: 1 }, [1], { total: 1 }],
    ["an empty list under a neutral name", { items: [], next: null }, [], { next: null }],
    ["an empty list called data", { data: [] }, [], {}],
    ["an empty list called results", { results: [] }, [], {}],
    ["the only list, where its field holds none", { jobs: null, items: [1] }, [1], { jobs: null }],
  ])("%s", (_, data, items, meta) => {
    expect(readPage(data, "jobs")).toEqual({ items, meta });
  });
});

describe("no list is read from", () => {
  test.each<[string, unknown]>([
    ["two lists under other names", { items: [1], data: [2] }],
    ["an object without a list", { jobs: { 0: "x" }, total: 0 }],
    ["an empty list of something else", { warnings: [] }],
    ["an empty object", {}],
    ["null", null],
    ["nothing", undefined],
    ["a text", "jobs"],
    ["a number", 7],
  ])("%s", (_, data) => {
    expect(readPage(data, "jobs")).toBeUndefined();
  });
});

test("a page of any data keeps every field unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), (data) => {
      const before = JSON.stringify(data);
      const page = readPage(data, "jobs");
      expect(JSON.stringify(data)).toBe(before);
      if (!page) return;
      const rest = Object.keys(page.meta).length;
      const all = Array.isArray(data) ? 1 : Object.keys(data as object).length;
      expect(rest).toBe(all - 1);
      if (!Array.isArray(data)) expect(Object.values(data as object)).toContain(page.items);
    }),
  );
});
