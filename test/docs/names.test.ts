import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import * as adgen from "adgen-sdk";
import * as assumed from "adgen-sdk/assumed";
import * as files from "adgen-sdk/files";
import * as mocks from "adgen-sdk/mocks";
import * as connect from "adgen-sdk/mocks/connect";
import * as msw from "adgen-sdk/mocks/msw";
import * as node from "adgen-sdk/mocks/node";
import * as server from "adgen-sdk/mocks/server";
import * as proxy from "adgen-sdk/proxy";
import * as submissions from "adgen-sdk/submissions";
import * as fileStore from "adgen-sdk/submissions/file";
import { describe, expect, test } from "vitest";
import { faultKinds } from "../../mocks/faults/fault.ts";
import { endpoints } from "../../src/contract/endpoint.ts";
import { entries } from "../../tools/entries.ts";
import { guides, readme, wordsInCode } from "../helpers/documents.ts";

const guide = (name: string): string => {
  const found = guides.find(({ path }) => path === `docs/${name}.md`);
  if (found === undefined) throw new Error(`There is no docs/${name}.md`);
  return found.text;
};

const sources = globSync("{src,mocks}/**/*.ts").map((path) => readFileSync(path, "utf8"));

/**
 * Lists the fields and methods of the interfaces that bear a name, of most names there is one, and
 * the fields of the types inside them.
 */
const fieldsOf = (name: string): { own: string[]; inner: string[] }[] => {
  const pattern = new RegExp(`export interface ${name}\\b[^]*?\\{\\n([^]*?)\\n\\}`);
  const bodies = sources.flatMap((text) => pattern.exec(text)?.[1] ?? []);
  const namesIn = (body: string, pattern: RegExp) =>
    Array.from(body.matchAll(pattern), ([, field = ""]) => field);
  return bodies.map((body) => ({
    own: namesIn(body, /^ {2}(?:readonly )?(\w+)\??[:(<]/gm),
    inner: namesIn(body, /^ {4,}readonly (\w+)\??[:(<]/gm),
  }));
};

/** Public interfaces whose fields are no reader's concern, or another package's. */
const untold = [
  ...[
    "AdGenError",
    "ClientSchemas",
    "AssumedSchemas",
    "StandardSchema",
    "StoredRecord",
    "Submissions",
  ],
  ...["PollTicket", "PollOnceOptions"],
  ...["ManualClock", "MockWorker", "MockRequest"],
  ...["Doubt", "SubmissionFacts"],
];

test("one guide names every field of each public interface", () => {
  const lists = Object.values(entries).flatMap((path) => [
    ...readFileSync(path, "utf8").matchAll(/export (?:type )?\{([^}]*)\}/g),
  ]);
  const exported = lists.flatMap(([, list = ""]) => list.match(/\w+(?=,|\s*$)/gm) ?? []);
  expect(exported).toEqual(expect.arrayContaining(["ClientOptions", "MockServiceOptions"]));
  const said = guides.map(({ text }) => wordsInCode(text));
  const isTold = (fields: readonly string[]): boolean =>
    said.some((words) => fields.every((field) => words.has(field)));
  const isSaid = (field: string): boolean => said.some((words) => words.has(field));
  const missing = exported.filter((name) => {
    const declarations = fieldsOf(name);
    return (
      declarations.length > 0 &&
      !declarations.some(({ own, inner }) => isTold(own) && inner.every(isSaid))
    );
  });
  expect([...new Set(missing)].sort()).toEqual(untold.sort());
});

describe("names", () => {
  const rowsOf = (text: string): string[] =>
    Array.from(text.matchAll(/^\| (.+?) \|/gm), ([, cell = ""]) => cell);

  test("everything that can be imported", () => {
    const texts = [readme, ...guides].map(({ text }) => text).join();
    const mockEntries = [mocks, msw, node, server, connect];
    const names = [adgen, assumed, files, submissions, fileStore, proxy, ...mockEntries].flatMap(
      Object.keys,
    );
    expect(names.filter((name) => !texts.includes(name))).toEqual([]);
  });

  test("every call in the README", () => {
    const said = wordsInCode(readme.text);
    const words = Object.keys(endpoints).flatMap((name) => name.split("."));
    expect(words).toContain("submit");
    expect(words.filter((word) => !said.has(word))).toEqual([]);
  });

  test("every call in the table of the client's guide", () => {
    const rows = Array.from(
      guide("guides/client").matchAll(/^\| `([\w.]+)\([^`]*\)` \| `(\w+) ([^`]+)` \|/gm),
      ([, ...row]) => row.join(" "),
    );
    const calls = Object.entries(endpoints).map(
      ([name, call]) => `${name} ${call.method} ${call.path}`,
    );
    expect(rows).toEqual(calls);
  });

  test("every error code", () => {
    const codes =
      readFileSync("src/errors/error-fields.ts", "utf8").match(/(?<=^ {2}\| )"\w+"/gm) ?? [];
    expect(codes).toHaveLength(17);
    const listed = guide("guides/errors");
    expect(codes.filter((code) => !listed.includes(`| \`${code.slice(1, -1)}\` |`))).toEqual([]);
  });

  test("every kind of fault in the table of faults, and each only once", () => {
    const table = rowsOf(guide("testing/faults")).flatMap((cell) => cell.match(/`[\w-]+`/g) ?? []);
    expect(table.sort()).toEqual(["kind", ...faultKinds].map((kind) => `\`${kind}\``).sort());
  });

  test("only commands of the mock that it has", async () => {
    const service = mocks.createMockService({ accounts: { "test-1": {} } });
    const named = ["server", "faults", "outcomes", "journal"]
      .flatMap((name) => guide(`testing/${name}`).match(/(?<=POST )[\w./:-]+/g) ?? [])
      .map((name) => name.replace("/__mock/", "").replace(":key", "test-1"))
      .filter((name) => name !== "" && name !== "/");
    expect(named.length).toBeGreaterThan(10);
    const isThere = (name: string): boolean => {
      const [, key, command = name] = /^accounts\/([^/]+)\/(.+)$/.exec(name) ?? [];
      const owner: object = key === undefined ? service : service.account(key);
      const part = command.split(".").reduce((whole: unknown, at) => Object(whole)[at], owner);
      return part !== undefined;
    };
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  test("only options that the command has", () => {
    const fromSource = ["--import", "./test/helpers/from-source.ts", "mocks/cli.ts"];
    const helpOf = (...command: string[]) =>
      spawnSync(process.execPath, [...fromSource, ...command, "--help"], { encoding: "utf8" });
    const texts = [helpOf(), helpOf("check")].map(({ stdout }) => stdout);
    const options = new Set(texts.join().match(/--[a-z][\w-]*/g));
    const named = guide("testing/server").match(/--[a-z][\w-]*/g) ?? [];
    expect(named).toContain("--timeline");
    expect(named.filter((option) => !options.has(option))).toEqual([]);
  });
});
