// tools/first-hour copies blocks of the README and the guides. Here: they are there.
import { expect, test } from "vitest";
import { cut, firstPrograms } from "../../tools/first-hour/cut-blocks.ts";
import { parts } from "../../tools/first-hour/programs.ts";
import { readBlocks } from "../helpers/doc-blocks.ts";
import { guides } from "../helpers/documents.ts";

const copied = Object.values(parts)
  .flat()
  .flatMap(({ copies = {} }) => Object.values(copies));

test.each([...new Set(copied)])("%s can be cut out", (place) => {
  expect(cut(place)).not.toBe("");
});

test("a block that is not there is named, with those that are", () => {
  expect(() => cut("docs/testing/jest.md > js mocha")).toThrow(
    /no block docs\/testing\/jest\.md > js mocha, .* but js jest below "With MSW", sh below/,
  );
});

test("a program of each guide's first third is played", () => {
  const played = new Set(firstPrograms.map(({ path }) => path));
  for (const place of copied) played.add(place.split(" > ")[0] ?? "");
  // test/page/playwright-guide.test.ts plays it, in Playwright's own runner.
  played.add("docs/testing/playwright.md");
  const early = guides.filter((guide) => {
    const [first] = readBlocks(guide).filter(({ info }) => /^(?:js|ts|python)(?! no)/.test(info));
    const line = Number(first?.place.split(":")[1]);
    return line < guide.text.split("\n").length / 3;
  });
  expect(early.length).toBeGreaterThan(20);
  expect(early.map(({ path }) => path).filter((path) => !played.has(path))).toEqual([]);
});
