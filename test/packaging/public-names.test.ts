import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, inject, test } from "vitest";
import { entries, specifierOf } from "../../tools/entries.ts";
import { runNode } from "./consumers.ts";

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

const targetOf = (symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** Gives the names that exist at run time, without those of types. */
const valuesOf = (symbols: readonly ts.Symbol[]): string[] =>
  symbols.flatMap((symbol) => (targetOf(symbol).flags & ts.SymbolFlags.Value ? symbol.name : []));

test("the main entry has at most 32 functions, classes and constants, and all entries have 60", () => {
  const main = valuesOf(exported.get("index") ?? []);
  expect(main).toContain("createClient");
  expect(main.length).toBeLessThanOrEqual(32);
  expect([...exported.values()].flatMap(valuesOf).length).toBeLessThanOrEqual(60);
});

test("each entry exports at run time what its types say, as an ES module and as CommonJS", async () => {
  // BullMQ is not installed here.
  const loaded = [...exported].filter(([entry]) => entry !== "bullmq");
  const specifiers = loaded.map(([entry]) => specifierOf(entry));
  const expected = loaded.map(([, symbols]) => valuesOf(symbols).sort());
  const print = "console.log(JSON.stringify(all.map((one) => Object.keys(one).sort())));";
  const programs = {
    esm: `const all = await Promise.all(${JSON.stringify(specifiers)}.map((one) => import(one)));`,
    cjs: `const all = ${JSON.stringify(specifiers)}.map((one) => require(one));`,
  };
  for (const [kind, load] of Object.entries(programs)) {
    writeFileSync(join(withMsw, kind, "exports.js"), `${load}\n${print}\n`);
    const { stdout, stderr } = await runNode(withMsw, [`${kind}/exports.js`]);
    expect(JSON.parse(stdout || stderr), kind).toEqual(expected);
  }
});

/** Signatures with an object type that has no exported name, and why no user needs the name. */
const unnamed = {
  "MockService.priceOf": "a request of any fields, and a price of two",
  AdGenError: "only the library creates errors",
  "RecentJobs.list": "a client's own method fits",
  'StandardSchema."~standard".validate': "the words of Standard Schema",
  "Submissions.decide": "it takes a Doubt, or its JSON",
  "Submissions.runOnce": "the client calls it",
  createHandlers: "it takes a MockService, or the part of it that answers",
  recoverJobs: "it takes an AdGenClient, whatever its schemas",
};

test("every object that a function takes or returns has an exported name", () => {
  const named = new Set([...exported.values()].flat().map(targetOf));
  const places = new Set<string>();

  const isObject = (type: ts.Type): boolean =>
    type.isUnion() ? type.types.some(isObject) : (type.flags & ts.TypeFlags.Object) !== 0;
  const isNamed = (node: ts.TypeReferenceNode): boolean => {
    const symbol = checker.getSymbolAtLocation(node.typeName);
    const target = symbol && targetOf(symbol);
    // A type without a declaration comes from a package that is not installed here.
    const [declaration] = target?.declarations ?? [];
    const isForeign = !declaration?.getSourceFile().fileName.startsWith(dist);
    if (target === undefined || isForeign || named.has(target)) return true;
    return !isObject(checker.getTypeFromTypeNode(node));
  };
  const isNameless = (node: ts.Node): boolean =>
    ts.isTypeReferenceNode(node)
      ? !isNamed(node)
      : ts.isTypeLiteralNode(node) && node.members.some(ts.isPropertySignature);

  const visit = (node: ts.Node, place: string, isInSignature: boolean): void => {
    if (isInSignature && isNameless(node)) places.add(place);
    const isMember = ts.isPropertySignature(node) || ts.isMethodSignature(node);
    const within = isMember && !isInSignature ? `${place}.${node.name.getText()}` : place;
    const signature = ts.isFunctionLike(node) ? [...node.parameters, node.type] : [];
    ts.forEachChild(node, (child) => {
      visit(child, within, isInSignature || signature.includes(child as ts.TypeNode));
    });
  };
  for (const symbol of named) {
    for (const declaration of symbol.declarations ?? []) visit(declaration, symbol.name, false);
  }
  expect([...places].sort()).toEqual(Object.keys(unnamed).sort());
});

test("no two entries export the same name", () => {
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
