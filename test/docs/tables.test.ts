// The tables of the guides, against the code that they describe.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultDurationSeconds, maxDurationSeconds } from "../../mocks/domain/prices.ts";
import type { MockServiceOptions } from "../../mocks/index.ts";
import { serviceOptionNames, serviceOptionsSchema } from "../../mocks/options/resolve-options.ts";
import { bodies } from "../../src/contract/bodies.ts";
import { maxVariations } from "../../src/contract/jobs.ts";
import { classes } from "../../src/errors/errors.ts";
import { makeError } from "../../src/errors/make-error.ts";
import { guides } from "../helpers/documents.ts";
import { jobParameters } from "../helpers/job-parameters.ts";

const textOf = (name: string): string => guides.find(({ path }) => path === name)?.text ?? "";

const sectionOf = (name: string, title: string): string =>
  new RegExp(`\\n## ${title}\\n(.*?)\\n## `, "s").exec(textOf(name))?.[1] ?? "";

const names = serviceOptionNames as readonly (keyof MockServiceOptions)[];

/** A text without markup, in small letters, on one line. */
const plain = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

const options = sectionOf("docs/testing/index.md", "Options of the service");
const told = new Map(
  Array.from(
    options.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm),
    ([, name, meaning, byDefault]) => [
      name,
      { meaning: plain(meaning ?? ""), byDefault: byDefault ?? "" },
    ],
  ),
);

const source = readFileSync("mocks/options/options.ts", "utf8");
const [, fields = ""] = /interface MockServiceOptions \{(.*?)\n\}/s.exec(source) ?? [];
const comments = new Map(
  Array.from(fields.matchAll(/\/\*\*(.*?)\*\/\s+(\w+)\?:/gs), ([, comment = "", name]) => [
    name,
    plain(comment),
  ]),
);

test("the guide and the types name each option, and no other", () => {
  expect([...told.keys()].sort()).toEqual([...names].sort());
  expect([...comments.keys()].sort()).toEqual([...names].sort());
});

test.each(names)("the option %s has the first sentence of its comment in the guide", (name) => {
  const [sentence = ""] = comments.get(name)?.split(". ") ?? [];
  expect(sentence).not.toBe("");
  expect(told.get(name)?.meaning).toMatch(new RegExp(`^${sentence.replace(/[.()]/g, "\\$&")}`));
});

const defaults = serviceOptionsSchema.parse({});
const withDefault = names.filter((name) => defaults[name] !== undefined);

test.each(withDefault)("the option %s has its default in guide and comment", (name) => {
  const [, shown = ""] = /^`([^`]+)`/.exec(told.get(name)?.byDefault ?? "") ?? [];
  const written = JSON.stringify(defaults[name]);
  expect(shown.replaceAll(" ", "")).toBe(written);
  expect(comments.get(name)?.split("@default ")[1]?.replaceAll(" ", "")).toBe(written);
});

const rows = Array.from(
  sectionOf("docs/guides/client.md", "Request parameters").matchAll(/^\| `(\w+)` \| (.+) \|$/gm),
  ([, name = "", rest = ""]) => {
    const [holds = "", image, video, copy] = rest.split(" | ");
    return { name, holds, takers: { image, video, copy } };
  },
);

test("the table of parameters names every one of the contract, once", () => {
  const { action, ...parameters } = bodies["jobs.submit"] ?? {};
  expect(action).toBeDefined();
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(parameters));
});

test.each(["image", "video", "copy"] as const)(
  "the table of parameters knows which %s actions take",
  (kind) => {
    const taken = rows.filter(({ takers }) => takers[kind] === "yes").map(({ name }) => name);
    expect(taken).toEqual(jobParameters[kind]);
    const others = rows.filter(({ takers }) => takers[kind] === "no");
    expect(others).toHaveLength(rows.length - taken.length);
  },
);

test("the table of parameters has the numbers of the contract", () => {
  const words = Object.fromEntries(rows.map(({ name, holds }) => [name, holds]));
  expect(words["variations"]).toContain(`from 1 to ${maxVariations}; 1 when absent`);
  const limits = `at most ${maxDurationSeconds}; ${defaultDurationSeconds} when absent`;
  expect(words["duration"]).toContain(limits);
});

const errorRows = Array.from(
  sectionOf("docs/guides/errors.md", "Classes and codes").matchAll(
    /^\|(?: `(\w+)`)? \| `(\w+)` \| (.+) \|$/gm,
  ),
  ([, name, code = "", when = ""]) => ({ name, code, when }),
);

test("the table of errors names each class and each code, and how logs print them", () => {
  expect(errorRows.map(({ code }) => code).sort()).toEqual(Object.keys(classes).sort());
  let shown: string | undefined;
  for (const { name = shown, code, when } of errorRows) {
    shown = name;
    const error = makeError(code as keyof typeof classes, "");
    expect(error.constructor.name).toBe(name);
    // A class that logs print otherwise says so in its row.
    const [, printed = name] = /print it as `(\w+)`/.exec(when) ?? [];
    expect(error.name).toBe(printed);
  }
});
