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
  const programs = ["npm", "Node", "JavaScript", "TypeScript", "Next.js", "Redis", "a browser"];
  expect(others.filter(({ origin = "" }) => !programs.includes(origin))).toEqual([]);
  expect(others.filter(({ message }) => isOurs(message))).toEqual([]);
});

test("names three causes of each error code, in the order of the codes", () => {
  const codes = Array.from(
    readFileSync("src/errors/error-fields.ts", "utf8").matchAll(/^ {2}\| "(\w+)"/gm),
    ([, code]) => code,
  );
  const ofCodes = /^## By code\n(.*?)^## /ms.exec(guide)?.[1] ?? "";
  const table = Array.from(ofCodes.matchAll(/^\| `(\w+)` \|(.+)\|$/gm), ([, code, cells = ""]) => ({
    code,
    causes: new Set(cells.split("|").map((cell) => cell.trim())),
  }));
  expect(codes).toContain("in_doubt");
  expect(table.map(({ code }) => code)).toEqual(codes);
  expect(table.filter(({ causes }) => causes.size !== 3 || causes.has(""))).toEqual([]);
});

test("a planted message that nothing says is found", () => {
  expect(isOurs("baseUrl is missing: … elsewhere and nowhere")).toBe(false);
});
