import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, inject, test } from "vitest";
import { guides, linksIn } from "../helpers/documents.ts";
import { runNode } from "./consumers.ts";

const { files, plain } = inject("packed");
const installed = join(plain, "node_modules", "adgen-sdk");
const read = (path: string): string => readFileSync(join(installed, path), "utf8");
const manifest = JSON.parse(read("package.json"));
const scripts = files.filter((path) => /^dist\/.*\.c?js$/.test(path));

describe("the package", () => {
  test("the package holds the files that its users need, and no others", () => {
    const expected =
      /^(package\.json|LICENSE|(README|AGENTS|CHANGELOG|SECURITY)\.md|docs\/((guides|service|testing)\/[\w-]+|tasks)\.md|docs\/mock-page-[\d.]+\.png|examples\/[\w-]+\.ts|examples\/(compose|next|page|testing)\/.+|dist\/THIRD-PARTY-LICENSES\.txt|dist\/(admin-)?openapi\.json|dist\/[\w/-]+\.(js|cjs|d\.ts|d\.cts))$/;
    expect(files.filter((path) => !expected.test(path))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist/index.js"]));
  });

  test("the package brings every file that its README and its guides link to", () => {
    const documents = files.filter((path) => /^(docs\/.+|[A-Z]+)\.md$/.test(path));
    const missing = documents
      .flatMap((path) => linksIn({ path, text: read(path) }))
      .filter(({ file }) => !files.includes(file));
    // The README says that CONTRIBUTING.md is in the repository.
    expect(missing.map(({ file }) => file)).toEqual(["CONTRIBUTING.md"]);
    const forUsers = guides.filter(({ path }) => /^docs\/(guides|service|testing)\//.test(path));
    expect(documents).toEqual(expect.arrayContaining(forUsers.map(({ path }) => path)));
  });

  test("the package brings every guide that its code names, by path or by title", () => {
    const titles = guides.map(({ text }) => text.split("\n")[0]?.slice(2));
    const code = files.filter((path) => path.startsWith("dist/")).map(read);
    const named = (pattern: RegExp) =>
      new Set(code.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name)));
    const paths = named(/([\w./-]*docs\/[\w./-]+\.md)/g);
    // A reader would look for a path without the package's name in their own project.
    const packed = files.map((path) => `adgen-sdk/${path}`);
    expect(paths.size).toBeGreaterThan(0);
    expect([...paths].filter((path = "") => !packed.includes(path))).toEqual([]);
    const byTitle = named(/\bguide "([^"]+)"/g);
    expect(byTitle.size).toBeGreaterThan(0);
    expect([...byTitle].filter((title) => !titles.includes(title))).toEqual([]);
  });

  test("the package ships the licence of every bundled package", () => {
    // esbuild writes the name of the file above each part of a bundle.
    const inside = files
      .filter((path) => /\.c?js$/.test(path))
      .flatMap((path) => [
        ...read(path).matchAll(/^\s*\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm),
      ])
      .map(([, name]) => name)
      // ky's modules are the body of a function, in which esbuild leaves no comments.
      .concat(
        files.some((path) => path.endsWith(".js") && /\bKy = class/.test(read(path))) ? "ky" : [],
      );
    const texts = read("dist/THIRD-PARTY-LICENSES.txt").split(`\n${"-".repeat(80)}\n`);
    const licensed = texts.map((text) => {
      const [, name, version] = /contain ([@\w/-]+) (\d+\.\d+\.\d+)\.\n/.exec(text) ?? [];
      const installed = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
      expect(version).toBe(installed.version);
      expect(text, name).toMatch(/MIT License|Permission is hereby granted/);
      return name;
    });
    expect(licensed).toEqual(["ky", "zod", "hono", "@hono/node-server"]);
    expect(new Set(inside)).toEqual(new Set(licensed));
  });

  test("the bill of materials names every bundled package", () => {
    const command = ["tools/sbom.ts"];
    const bill = JSON.parse(execFileSync(process.execPath, command, { encoding: "utf8" }));
    const named = bill.components.map((one: { purl: string }) => one.purl);
    const inside = [
      ...read("dist/THIRD-PARTY-LICENSES.txt").matchAll(/contain ([@\w/-]+) ([\d.]+)\.\n/g),
    ];
    expect(named).toEqual(
      inside.map(([, name = "", version]) => `pkg:npm/${name.replace("@", "%40")}@${version}`),
    );
    expect(bill.metadata.component.purl).toBe(`pkg:npm/adgen-sdk@${manifest.version}`);
  });

  test("the package exports the OpenAPI document of its own version", () => {
    const { openapi, info } = JSON.parse(read(manifest.exports["./openapi.json"]));
    expect(openapi).toMatch(/^3\.1\./);
    expect(info.version).toContain(manifest.version);
  });

  test("the package brings its two commands as executable files", () => {
    const commands = ["mocks/cli.js", "submissions/cli.js"].map((file) => `./dist/${file}`);
    expect(manifest.bin).toEqual({
      "adgen-mock": commands[0],
      "adgen-submissions": commands[1],
    });
    for (const file of commands) expect(read(file)).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test("the package names no path of the machine that built it", () => {
    const home = homedir().length > 1 ? [`${homedir()}/`] : [];
    const places = ["file://", process.cwd(), tmpdir(), ...home];
    const leaks = files.flatMap((path) =>
      places.filter((place) => read(path).includes(place)).map((place) => `${path}: ${place}`),
    );
    expect(leaks).toEqual([]);
  });

  test("the published package.json has no scripts, no dependencies, and optional peers only", () => {
    for (const key of ["scripts", "devDependencies", "overrides", "allowScripts", "dependencies"]) {
      expect(manifest).not.toHaveProperty(key);
    }
    // With peers, npm would refuse apps with other versions, and install the peers in production.
    expect(manifest.peerDependencies).toBeUndefined();
    expect(manifest.peerDependenciesMeta).toEqual({
      bullmq: { optional: true },
      msw: { optional: true },
    });
  });

  test.each(["js", "cjs"])(
    "the .%s files hold each error class and each memory of waits once",
    (ending) => {
      const code = scripts
        .filter((path) => path.endsWith(`.${ending}`))
        .map(read)
        .join("\n");
      const classes = [...code.matchAll(/nameClass\(this, "(\w+)"\)/g)].map(([, name]) => name);
      expect(classes.length).toBeGreaterThanOrEqual(16);
      expect(classes).toEqual([...new Set(classes)]);
      const maps = [...code.matchAll(/^var (\w+) = .*new WeakMap\(\)/gm)].map(([, name]) => name);
      expect(maps).toContain("memories");
      expect(maps).toEqual([...new Set(maps)]);
    },
  );
});

const { tarball } = inject("packed");

/**
 * publint suggests a `browser` condition. In `exports` it would need a second copy of the client,
 * and in `imports` the bundlers of React Native would not know it.
 */
const refusedSuggestion = "USE_EXPORTS_OR_IMPORTS_BROWSER";

test("publint finds nothing, suggestions included", async () => {
  const bytes = new Uint8Array(readFileSync(tarball)).buffer;
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
  const found = messages.filter(({ code }) => code !== refusedSuggestion);
  expect(found.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test("every entry's types are right for every way to resolve them", async () => {
  const attw = resolve("node_modules/@arethetypeswrong/cli/dist/index.js");
  const { status, stdout, stderr } = await runNode(process.cwd(), [
    attw,
    tarball,
    "--no-definitely-typed",
    // `node10` resolves files only, and `typesVersions` can't name a JSON file.
    "--exclude-entrypoints",
    "./openapi.json",
    "--no-color",
    "--no-emoji",
  ]);
  expect(status, stdout + stderr).toBe(0);
});
