import { expect, test } from "vitest";
import { guides, readme } from "../helpers/documents.ts";

test("every guide begins with the reader's gain, in one sentence", () => {
  const starts = guides.map(({ path, text }) => [path, text.split("\n")[2] ?? ""] as const);
  const wrong = starts.filter(([, start]) => !/^After this (guide|page) [^.]+\.$/.test(start));
  expect(wrong).toEqual([]);
});

test("the README stays below 200 lines", () => {
  expect(readme.text.split("\n").length).toBeLessThan(200);
});

test("the first 60 lines submit, poll, meet a 402 and mock it in a test", () => {
  const start = readme.text.split("\n").slice(0, 60).join("\n");
  const words = ["npm install", "submit(", "pollJob(", "PaymentRequiredError", "setupMockServer("];
  expect(words.filter((word) => !start.includes(word))).toEqual([]);
});
