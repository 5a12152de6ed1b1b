import { posix } from "node:path";
import ts from "typescript";
import { entries, specifierOf } from "./entries.ts";

/** One import or re-export, as written. */
export interface Import {
  /** A file of the repository (`src/errors.ts`), or a package's name (`ky`, `node:fs`). */
  readonly target: string;
  /** The import has no effect at run time: `import type`, `export type … from`, `import("…").T`. */
  readonly typeOnly: boolean;
  /** The names taken by `import { … }`, as the target calls them, without the types among them. */
  readonly names: readonly string[];
}

/** Imports and exports of one file. */
export interface Module {
  readonly path: string;
  readonly imports: readonly Import[];
  readonly source: ts.SourceFile;
}

const ownEntries = new Map<string, string>(
  Object.entries(entries).map(([entry, source]) => [specifierOf(entry), source]),
);

const targetOf = (path: string, specifier: string): string => {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(path), specifier);
  const own = ownEntries.get(specifier);
  if (own !== undefined) return own;
  if (specifier.startsWith("node:")) return specifier;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
};

const isTypeKeyword = (clause: ts.ImportClause | undefined): boolean =>
  clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;

const valueNames = (bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined) =>
  bindings !== undefined && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))
    ? [...bindings.elements]
        .filter((element) => !element.isTypeOnly)
        .map((element) => (element.propertyName ?? element.name).text)
    : [];

/** Reads the import of a syntax node. `import { type T }` still loads its target at run time. */
const importOf = (node: ts.Node): (Omit<Import, "target"> & { specifier: ts.Node }) | undefined => {
  if (ts.isImportDeclaration(node)) {
    const { importClause: clause, moduleSpecifier: specifier } = node;
    return { specifier, typeOnly: isTypeKeyword(clause), names: valueNames(clause?.namedBindings) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    const { moduleSpecifier: specifier, isTypeOnly: typeOnly, exportClause } = node;
    return { specifier, typeOnly, names: valueNames(exportClause as ts.NamedExportBindings) };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { specifier: node.argument.literal, typeOnly: true, names: [] };
  }
  if (ts.isCallExpression(node) && node.arguments[0] !== undefined) {
    const { expression: callee } = node;
    const isRequire = ts.isIdentifier(callee) && callee.text === "require";
    if (callee.kind === ts.SyntaxKind.ImportKeyword || isRequire) {
      return { specifier: node.arguments[0], typeOnly: false, names: [] };
    }
  }
  return undefined;
};

/** Reads one file's imports with TypeScript's own parser. */
export const parseModule = (path: string, text: string): Module => {
  const languageVersion = ts.ScriptTarget.Latest;
  const jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const source = ts.createSourceFile(path, text, { languageVersion, jsDocParsingMode }, true);
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    const found = importOf(node);
    if (found !== undefined && ts.isStringLiteralLike(found.specifier)) {
      const { specifier, ...rest } = found;
      imports.push({ ...rest, target: targetOf(path, specifier.text) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { path, imports, source };
};

export type ModuleGraph = ReadonlyMap<string, Module>;

export const parseModules = (files: Readonly<Record<string, string>>): ModuleGraph =>
  new Map(Object.entries(files).map(([path, text]) => [path, parseModule(path, text)]));

/** Finds all that a file loads at run time, directly or not, and the chain of files to each. */
export const reachableFrom = (
  graph: ModuleGraph,
  start: string,
): Map<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>([[start, [start]]]);
  for (const [path, way] of found) {
    for (const { target, typeOnly } of graph.get(path)?.imports ?? []) {
      if (!typeOnly && !found.has(target)) found.set(target, [...way, target]);
    }
  }
  found.delete(start);
  return found;
};

/** Returns the shortest circle of imports through a file, types included, if it has a circle. */
const circleFrom = (graph: ModuleGraph, start: string): readonly string[] | undefined => {
  const seen = new Set<string>();
  const ways: (readonly string[])[] = [[start]];
  for (const way of ways) {
    const last = way[way.length - 1] ?? start;
    for (const { target } of graph.get(last)?.imports ?? []) {
      if (target === start) return way;
      if (seen.has(target)) continue;
      seen.add(target);
      ways.push([...way, target]);
    }
  }
  return undefined;
};

/** Finds the circles of imports, types included: each once, from its alphabetically first file. */
export const findCircles = (graph: ModuleGraph): (readonly string[])[] => {
  const circles = new Map<string, readonly string[]>();
  for (const start of [...graph.keys()].sort()) {
    const circle = circleFrom(graph, start);
    if (circle === undefined) continue;
    const key = [...circle].sort().join();
    if (!circles.has(key)) circles.set(key, circle);
  }
  return [...circles.values()];
};
