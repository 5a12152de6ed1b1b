// The links, the names and the tables of the README and the guides must fit the code.
import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultDurationSeconds, maxDurationSeconds } from "../../mocks/domain/prices.ts";
import { faultKinds } from "../../mocks/faults/fault.ts";
import { serviceOptionNames, serviceOptionsSchema } from "../../mocks/options/resolve-options.ts";
import { errorClasses } from "../../src/client/errors/errors.ts";
import { requestBodies } from "../../src/contract/bodies.ts";
import { endpoints } from "../../src/contract/endpoint.ts";
import { maxVariations } from "../../src/contract/jobs.ts";
import { sizeFigures, writeFigures } from "../../tools/bundle-size.ts";
import { entries } from "../../tools/entries.ts";
import { jobParameters } from "../helpers/calls.ts";
import {
  documents,
  findBrokenLinks,
  findReachable,
  guides,
  linksIn,
  readme,
  wordsInCode,
} from "../helpers/documents.ts";

const textOf = (path: string): string => documents.find((one) => one.path === path)?.text ?? "";

/** Text below one heading of a document. */
const sectionOf = (path: string, heading: string): string => {
  const text = textOf(path);
  const start = text.indexOf(`\n## ${heading}\n`) + 1;
  const end = text.indexOf("\n## ", start + 3);
  return text.slice(start, end < 0 ? text.length : end);
};

/** Cells of the rows of all tables in a document, or below one of its headings. */
const rowsOf = (path: string, heading?: string): string[][] => {
  const text = heading === undefined ? textOf(path) : sectionOf(path, heading);
  return text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .map((line) => line.slice(2, -2).split(" | "));
};

const codeIn = (cell = ""): string[] =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = ""]) => code);

test("links point to files and headings that exist", () => {
  expect(findBrokenLinks(documents)).toEqual([]);
});

test.each([
  ["a file that is not there", "[a](docs/no-such-guide.md)"],
  ["a heading that is not there", "[a](docs/guides/client.md#no-such-heading)"],
])("links to %s are found", (_, text) => {
  expect(findBrokenLinks([...guides, { path: "PLANTED.md", text }])).toHaveLength(1);
});

test("links lead from the README to the tasks, from there to every guide, and then to all the rest", () => {
  const direct = findReachable([readme], readme);
  expect([...direct]).toEqual(["README.md"]);
  expect(readme.text).toContain("(docs/tasks.md)");
  const forUsers = guides.filter(({ path }) => /^docs\/(guides|testing|service)\//.test(path));
  // The site takes its groups from this table.
  const named = linksIn({
    path: "docs/tasks.md",
    text: sectionOf("docs/tasks.md", "All guides"),
  });
  const files = named.map(({ file }) => file);
  expect(forUsers.map(({ path }) => path).filter((path) => !files.includes(path))).toEqual([]);
  const reached = findReachable(documents, readme);
  expect(documents.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
});

test("the tasks link to every example that is a program to copy", () => {
  const helpers = ["examples/with-mock.ts", "examples/page/main.tsx"];
  const examples = globSync("examples/{*,page/*,testing/*,compose/*}.{ts,tsx,js,py,yaml,json}");
  const tasks = documents.find(({ path }) => path === "docs/tasks.md") ?? readme;
  const files = linksIn(tasks).map(({ file }) => file);
  const missing = examples.filter((path) => ![...files, ...helpers].includes(path));
  expect(missing).toEqual([]);
});

test("the site's navigation holds every guide once", () => {
  const { projectDocuments } = JSON.parse(readFileSync("typedoc.json", "utf8"));
  const beside = documents.map(({ path }) => path).filter((path) => path !== "README.md");
  expect([...projectDocuments].sort()).toEqual(beside.sort());
});

const places = /(?<![\w./-])(?:src|mocks|test|tools|docs|bench|examples|\.ci)\/[\w./*-]*[\w*]/g;

test.each(documents)("files that $path names exist", ({ text }) => {
  const missing = (text.match(places) ?? []).filter(
    (path) => !existsSync(path) && !existsSync(`${path}.ts`) && globSync(path).length === 0,
  );
  expect(missing).toEqual([]);
});

test("scripts that the documents name exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const examples = globSync("examples/**/*.ts").map((file) => readFileSync(file, "utf8"));
  const texts = [...documents.map(({ text }) => text), ...examples].join();
  const named = Array.from(texts.matchAll(/npm run (\w[\w:-]*)/g), ([, script = ""]) => script);
  expect(named).toContain("demo");
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});

test("the diagrams of the architecture name files and folders that exist", () => {
  const diagrams =
    textOf("docs/architecture.md")
      .match(/```text\n.*?```/gs)
      ?.join() ?? "";
  const named = diagrams.match(/(?<![\w/-])[a-z]+(?:\/[a-z][a-z-]*)+/g) ?? [];
  expect(named).toContain("http/handle-request");
  const isThere = (name: string) =>
    ["src/client", "src", "mocks"].some(
      (root) => existsSync(`${root}/${name}.ts`) || existsSync(`${root}/${name}`),
    );
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

test("a guide names each function, class and constant of the package", async () => {
  const texts = [readme, ...guides].map(({ text }) => text).join();
  // These entries load packages that act when they are loaded, or need a browser.
  const silent = ["src/bullmq/index.ts", "mocks/browser/index.ts"];
  const names: string[] = [];
  for (const path of Object.values(entries)) {
    if (!silent.includes(path))
      names.push(...Object.keys(await import(/* @vite-ignore */ `../../${path}`)));
  }
  expect(names).toContain("createClient");
  expect(names.filter((name) => !texts.includes(name))).toEqual([]);
});

test("the README names every call", () => {
  const said = wordsInCode(readme.text);
  const words = Object.keys(endpoints).flatMap((name) => name.split("."));
  expect(words.filter((word) => !said.has(word))).toEqual([]);
});

test("the table of methods has each call, its method and its path", () => {
  const rows = rowsOf("docs/guides/client.md", "Methods")
    .map(([call = "", http = ""]) => [codeIn(call)[0]?.replace(/\(.*/, ""), codeIn(http)[0]])
    .filter(([, http]) => http !== undefined);
  expect(rows).toEqual(
    Object.entries(endpoints).map(([name, { method, path }]) => [name, `${method} ${path}`]),
  );
});

test("the table of parameters has the contract's parameters, their actions and limits", () => {
  const rows = rowsOf("docs/guides/client.md", "Request parameters").slice(1);
  const { action: _, ...parameters } = requestBodies["jobs.submit"] ?? {};
  const names = rows.map(([name]) => codeIn(name)[0] ?? "");
  expect(names).toEqual(Object.keys(parameters));
  for (const [place, kind] of (["image", "video", "copy"] as const).entries()) {
    const taken = names.filter((_, row) => rows[row]?.[place + 2] === "yes");
    expect(taken).toEqual(jobParameters[kind]);
  }
  const holds = Object.fromEntries(rows.map(([name, value]) => [codeIn(name)[0], value]));
  expect(holds["variations"]).toContain(`from 1 to ${maxVariations}; 1 when absent`);
  const limits = `at most ${maxDurationSeconds}; ${defaultDurationSeconds} when absent`;
  expect(holds["duration"]).toContain(limits);
});

test("the table of errors has each class and each code", () => {
  const rows = rowsOf("docs/guides/errors.md", "Classes and codes").slice(1);
  const codes = rows
    .flatMap((cells) => codeIn(cells.slice(0, 2).join()))
    .filter((code) => code in errorClasses);
  expect(codes.sort()).toEqual(Object.keys(errorClasses).sort());
  const named = new Set(rows.flatMap(([name]) => codeIn(name)));
  expect(Object.values(errorClasses).filter(({ name }) => !named.has(name))).toEqual([]);
});

test("the table of faults has each kind once", () => {
  const cells = rowsOf("docs/testing/faults.md").flatMap(([cell]) => codeIn(cell));
  expect(cells.sort()).toEqual(["kind", ...faultKinds].sort());
});

test("the table of the service's options has each option with its default", () => {
  const rows = rowsOf("docs/testing/index.md", "Options of the service").slice(1);
  expect(rows.map(([name]) => codeIn(name)[0]).sort()).toEqual([...serviceOptionNames].sort());
  const defaults: Readonly<Record<string, unknown>> = serviceOptionsSchema.parse({});
  for (const cells of rows) {
    const [name = ""] = codeIn(cells[0]);
    if (defaults[name] === undefined) continue;
    expect(codeIn(cells.at(-1))[0]?.replaceAll(" ", ""), name).toBe(JSON.stringify(defaults[name]));
  }
});

test.each([...new Set(sizeFigures.map(({ path }) => path))])(
  "%s has the limits of the bundle",
  (path) => {
    const text = textOf(path);
    expect(text, "npm run size -- --write puts this right").toBe(writeFigures(path, text));
  },
);

test.each([
  ["README.md", /\n/g, 110],
  ["docs/architecture.md", /\S*\w\S*/g, 900],
  ["CONTRIBUTING.md", /\S*\w\S*/g, 1_500],
])("%s keeps to its limit of lines or words", (path, unit, most) => {
  expect(textOf(path).match(unit)?.length).toBeLessThanOrEqual(most);
});

test("the README shows the mock's page as this version has it, in a small picture", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const path = `docs/mock-page-${version.split(".").slice(0, 2).join(".")}.png`;
  expect(readme.text, "npx node tools/page-picture.ts takes a new one").toContain(`](${path})`);
  expect(readFileSync(path).length).toBeLessThan(150_000);
});
