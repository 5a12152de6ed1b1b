import { readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, inject, test } from "vitest";
import { entries, specifierOf } from "../../tools/entries.ts";
import { parseModule } from "../../tools/module-graph.ts";

const { files, plain } = inject("packed");
const installed = join(plain, "node_modules", "adgen-sdk");
const read = (path: string): string => readFileSync(join(installed, path), "utf8");
const manifest = JSON.parse(read("package.json"));

describe("the package", () => {
  test("holds what is needed to use it, and nothing else", () => {
    const expected =
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/THIRD-PARTY-LICENSES\.txt|dist\/[\w/-]+\.(js|cjs|d\.ts|d\.cts))$/;
    expect(files.filter((path) => !expected.test(path))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist/index.js"]));
  });

  test("ships the licence of the bundled ky", () => {
    expect(read("dist/THIRD-PARTY-LICENSES.txt")).toMatch(/ky \d+\.\d+\.\d+[\s\S]*MIT License/);
  });

  test("names no place of the machine that built it", () => {
    const places = [
      "file://",
      process.cwd(),
      tmpdir(),
      ...(homedir().length > 1 ? [`${homedir()}/`] : []),
    ];
    const leaks = files.flatMap((path) =>
      places.filter((place) => read(path).includes(place)).map((place) => `${path}: ${place}`),
    );
    expect(leaks).toEqual([]);
  });

  test("runs nothing when it is installed", () => {
    const scripts = [
      "preinstall",
      "install",
      "postinstall",
      "prepare",
      "preprepare",
      "postprepare",
    ];
    expect(Object.keys(manifest.scripts).filter((name) => scripts.includes(name))).toEqual([]);
  });

  test("depends on ky and zod alone", () => {
    expect(Object.keys(manifest.dependencies)).toEqual(["ky", "zod"]);
    expect(manifest.peerDependenciesMeta).toEqual({ msw: { optional: true } });
  });

  test("has the same entries wherever they are named", () => {
    const specifiers = Object.keys(entries).map(specifierOf);
    const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
    const exported = Object.keys(manifest.exports)
      .filter((name) => name !== "./package.json")
      .map((name) => name.replace(".", "adgen-sdk"));
    expect(exported).toEqual(specifiers);
    expect(Object.keys(config.compilerOptions.paths)).toEqual(specifiers);
    expect([
      "adgen-sdk",
      ...Object.keys(manifest.typesVersions["*"]).map((name) => `adgen-sdk/${name}`),
    ]).toEqual(specifiers);
  });

  test("names other packages' types in mocks/msw alone", () => {
    const foreign = files
      .filter((path) => /\.d\.c?ts$/.test(path) && !path.startsWith("dist/mocks/msw."))
      .flatMap((path) =>
        parseModule(path, read(path))
          .imports.filter(({ target }) => !target.startsWith("dist/"))
          .map(({ target }) => `${path}: ${target}`),
      );
    expect(foreign).toEqual([]);
  });

  test("imports at run time only what it declares", () => {
    const declared = new Set(["ky", "zod", "msw"]);
    const undeclared = files
      .filter((path) => /\.c?js$/.test(path))
      .flatMap((path) =>
        parseModule(path, read(path))
          .imports.filter(({ target }) => !target.startsWith("dist/") && !declared.has(target))
          .map(({ target }) => `${path}: ${target}`),
      );
    expect(undeclared).toEqual([]);
  });
});
