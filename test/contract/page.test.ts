import fc from "fast-check";
import { expect, test } from "vitest";
import { readPage } from "../../src/contract/page.ts";

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
