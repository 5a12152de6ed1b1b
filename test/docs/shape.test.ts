import { expect, test } from "vitest";
import { documents, guides, readme } from "../helpers/documents.ts";

test("every guide begins with the reader's gain, in one sentence", () => {
  const starts = guides.map(({ path, text }) => [path, text.split("\n")[2] ?? ""] as const);
  const wrong = starts.filter(([, start]) => !/^After this (guide|page) [^.]+\.$/.test(start));
  expect(wrong).toEqual([]);
});

test("the README has at most 120 lines", () => {
  expect(readme.text.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});

test("AGENTS.md has about 40 lines, and ten rules", () => {
  const { text = "" } = documents.find(({ path }) => path === "AGENTS.md") ?? {};
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(45);
  expect(text.match(/^\d+\. /gm)).toHaveLength(10);
});

test("the first 60 lines submit, poll, meet a 402 and mock it in a test", () => {
  const start = readme.text.split("\n").slice(0, 60).join("\n");
  const words = ["npm install", "submit(", "pollJob(", "PaymentRequiredError", "setupMockServer("];
  expect(words.filter((word) => !start.includes(word))).toEqual([]);
});
