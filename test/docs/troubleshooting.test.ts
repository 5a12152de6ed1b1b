// The messages that the guide for troubleshooting quotes: each of ours stands in the sources.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { guides } from "../helpers/documents.ts";

const guide = guides.find(({ path }) => path === "docs/guides/troubleshooting.md")?.text ?? "";
const rows = Array.from(
  guide.matchAll(/^\| `(.+?)`(?: \(([\w. ]+)\))? \|/gm),
  ([, message = "", origin]) => ({ message, origin }),
);

/** Sources in which a text of several lines is one, and each value in it is left out. */
const sources = globSync("{src,mocks}/**/*.ts")
  .map((path) => readFileSync(path, "utf8"))
  .join("\n")
  .replace(/["`] \+\s*["`]/g, "")
  .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…")
  .replace(/\\"/g, '"');

const isOurs = (message: string): boolean =>
  message
    // The name of a missing option is a value in the sources.
    .replace(/^\w+ is missing/, "… is missing")
    .split("…")
    .map((part) => part.replace(/^[":;\s]+|[":;\s]+$/g, ""))
    .filter((part) => part !== "")
    .every((part) => sources.includes(part));

test("quotes messages of ours as the sources have them", () => {
  const ours = rows.filter(({ origin }) => origin === undefined);
  expect(ours.length).toBeGreaterThan(20);
  expect(ours.filter(({ message }) => !isOurs(message))).toEqual([]);
});

test("says which program each other message comes from", () => {
  const others = rows.filter(({ origin }) => origin !== undefined);
  expect(others.length).toBeGreaterThan(5);
  const programs = ["Node", "TypeScript", "Redis", "Jest", "a browser"];
  expect(others.filter(({ origin = "" }) => !programs.includes(origin))).toEqual([]);
  expect(others.filter(({ message }) => isOurs(message))).toEqual([]);
});

test("a planted message that nothing says is found", () => {
  expect(isOurs("baseUrl is missing: … elsewhere and nowhere")).toBe(false);
});
