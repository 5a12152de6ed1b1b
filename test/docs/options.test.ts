// The options of the mock: their one description against comments, guide and the command's help.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { helpText } from "../../mocks/faces/server/cli/arguments.ts";
import type { MockServiceOptions } from "../../mocks/index.ts";
import { describeOption, serviceOptionNames } from "../../mocks/options/resolve-options.ts";
import { guides } from "../helpers/documents.ts";

const names = serviceOptionNames as readonly (keyof MockServiceOptions)[];

/** A text without markup, in small letters, on one line. */
const plain = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

const guide = guides.find(({ path }) => path === "docs/testing/index.md")?.text ?? "";
const [, table = ""] = /\n## Options of the service\n(.*?)\n## /s.exec(guide) ?? [];
const rows = new Map(
  Array.from(
    table.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm),
    ([, name, meaning, byDefault]) => [
      name,
      { meaning: plain(meaning ?? ""), byDefault: byDefault ?? "" },
    ],
  ),
);

const source = readFileSync("mocks/options/options.ts", "utf8");
const [, options = ""] = /interface MockServiceOptions \{(.*?)\n\}/s.exec(source) ?? [];
const comments = new Map(
  Array.from(options.matchAll(/\/\*\*(.*?)\*\/\s+(\w+)\?:/gs), ([, comment = "", name]) => [
    name,
    plain(comment),
  ]),
);

test("the guide and the types name each option, and no other", () => {
  expect([...rows.keys()].sort()).toEqual([...names].sort());
  expect([...comments.keys()].sort()).toEqual([...names].sort());
});

describe.each(names)("the option %s", (name) => {
  const { description } = describeOption(name);

  test("has its description in the guide and in its comment", () => {
    expect(description).not.toBe("");
    expect(rows.get(name)?.meaning).toMatch(/^\S/);
    expect(rows.get(name)?.meaning.startsWith(plain(description))).toBe(true);
    expect(comments.get(name)?.startsWith(`${plain(description)}.`)).toBe(true);
  });
});

const withDefault = names.filter((name) => describeOption(name).byDefault !== undefined);

test.each(withDefault)("the option %s has its default in guide and comment", (name) => {
  const [, shown = ""] = /^`([^`]+)`/.exec(rows.get(name)?.byDefault ?? "") ?? [];
  const written = JSON.stringify(describeOption(name).byDefault);
  expect(shown.replaceAll(" ", "")).toBe(written);
  expect(comments.get(name)?.split("@default ")[1]?.replaceAll(" ", "")).toBe(written);
});

test("the command's help has the descriptions and defaults of its flags", () => {
  const help = plain(helpText);
  for (const name of [
    "refundFailedJobs",
    "expiry",
    "pictureFormat",
    "seed",
    "journalLimit",
  ] as const) {
    const { description, byDefault } = describeOption(name);
    expect(help).toContain(plain(description));
    if (byDefault !== false) expect(help).toContain(`(default ${byDefault})`);
  }
});
