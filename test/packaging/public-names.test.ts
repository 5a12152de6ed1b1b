import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, inject, test } from "vitest";
import { entries } from "../../tools/entries.ts";
import { runNode } from "./run.ts";

const { withMsw } = inject("packed");
const dist = join(withMsw, "node_modules/adgen-sdk/dist");

const declarations = Object.keys(entries).map((entry) => join(dist, `${entry}.d.ts`));
const program = ts.createProgram(declarations, {
  module: ts.ModuleKind.NodeNext,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
  types: [],
  strict: true,
});
const checker = program.getTypeChecker();

/** The names that an entry exports. */
const namesOf = (path: string): ts.Symbol[] => {
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${path} exports nothing`);
  return checker.getExportsOfModule(module);
};

const exported = new Map(
  Object.keys(entries).map((entry, index) => [entry, namesOf(declarations[index] ?? "")]),
);
const all = [...exported.values()].flat().map(({ name }) => name);

test("the main entry has 120 public names at most, all entries together 230", () => {
  expect(exported.get("index")?.length).toBeGreaterThan(50);
  expect(exported.get("index")?.length).toBeLessThanOrEqual(120);
  expect(new Set(all).size).toBeLessThanOrEqual(230);
});

test("no two entries export the same name", () => {
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});

const isFunction = (symbol: ts.Symbol): boolean => {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const isValue = (target.flags & ts.SymbolFlags.Variable) !== 0;
  return isValue && checker.getTypeOfSymbol(target).getCallSignatures().length > 0;
};

test("what each function returns can be exported without an annotation", async () => {
  // These two need another tool; what they return is that tool's own.
  const others = ["bullmq"];
  const text = readFileSync("test/packaging/use-names.ts", "utf8");
  const functions = [...exported].flatMap(([entry, symbols]) =>
    others.includes(entry) ? [] : symbols.filter(isFunction),
  );
  const isCalled = ({ name }: ts.Symbol): boolean => new RegExp(`\\b${name}\\(`).test(text);
  expect(functions.map(({ name }) => name)).toContain("watchJobs");
  expect(functions.filter((one) => !isCalled(one)).map(({ name }) => name)).toEqual([]);

  const project = mkdtempSync(join(withMsw, "names-"));
  copyFileSync("test/packaging/use-names.ts", join(project, "use-names.ts"));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  const compilerOptions = {
    module: "nodenext",
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable", "esnext.disposable"],
    types: [],
    strict: true,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: "out",
    skipLibCheck: true,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const tsc = resolve("node_modules/typescript7/bin/tsc");
  const { stdout } = await runNode(project, [tsc, "--project", "."]);
  expect(stdout).toBe("");
  const written = readFileSync(join(project, "out/use-names.d.ts"), "utf8");
  expect(written).toContain('completed: () => Promise<import("adgen-sdk").CompletedJob<');
  expect(written).not.toMatch(/\bany\b/);
});
