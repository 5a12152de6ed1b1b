import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, inject, test } from "vitest";
import { entries, specifierOf } from "../../tools/entries.ts";
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

test('"go to definition" leads to the declaration of each name', () => {
  const file = join(withMsw, "definitions.ts");
  const places = new Map<string, number>();
  let text = "";
  for (const [entry, symbols] of exported) {
    for (const { name } of symbols) {
      text += `import { ${name}`;
      places.set(name, text.length - 1);
      text += ` } from "${specifierOf(entry)}";\n`;
    }
  }
  writeFileSync(file, text);
  const service = ts.createLanguageService({
    getCompilationSettings: () => program.getCompilerOptions(),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const found = ts.sys.readFile(path);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => withMsw,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  });
  const lost = [...places].filter(([name, place]) => {
    const [found] = service.getDefinitionAtPosition(file, place) ?? [];
    const source = found && service.getProgram()?.getSourceFile(found.fileName);
    const { start = 0, length = 0 } = found?.textSpan ?? {};
    return !(found?.fileName.startsWith(dist) && source?.text.substr(start, length) === name);
  });
  expect(lost.map(([name]) => name)).toEqual([]);
});

const isFunction = (symbol: ts.Symbol): boolean => {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const isValue = (target.flags & ts.SymbolFlags.Variable) !== 0;
  return isValue && checker.getTypeOfSymbol(target).getCallSignatures().length > 0;
};

test("what each function returns can be exported without an annotation", async () => {
  // These two need another tool; what they return is that tool's own.
  const others = ["bullmq"];
  const text = readFileSync("test/packaging/consumers/names.ts", "utf8");
  const functions = [...exported].flatMap(([entry, symbols]) =>
    others.includes(entry) ? [] : symbols.filter(isFunction),
  );
  const isCalled = ({ name }: ts.Symbol): boolean => new RegExp(`\\b${name}\\(`).test(text);
  expect(functions.map(({ name }) => name)).toContain("watchJobs");
  expect(functions.filter((one) => !isCalled(one)).map(({ name }) => name)).toEqual([]);

  const project = mkdtempSync(join(withMsw, "names-"));
  copyFileSync("test/packaging/consumers/names.ts", join(project, "names.ts"));
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
  const written = readFileSync(join(project, "out/names.d.ts"), "utf8");
  expect(written).toContain('completed: () => Promise<import("adgen-sdk").CompletedJob<');
  expect(written).not.toMatch(/\bany\b/);
});
