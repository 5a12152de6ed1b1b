/** Checks the size, the names, the exports and the words of the product's files. */
import ts from "typescript";
import { entries, standIns } from "./entries.ts";
import type { Module, ModuleGraph } from "./module-graph.ts";

/** Entries of the package: lists of public names, without logic. */
const lists = new Set<string>([...Object.values(entries), ...Object.values(standIns)]);
/** Maximum number of lines of a file. We aim at about 200, but one subject may need more. */
const maxLines = 300;
const emptyNames = /\/(utils?|helpers?|common|misc|types|constants|base)\.ts$/;
const kebabCase = /^([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/;

/** Names of HTTP, timers and clocks, which the mock's domain and artwork must not use. */
const foreignWords = new Set(
  "Request Response Headers fetch setTimeout setInterval setImmediate performance".split(" "),
);

/** Methods that the compiler accepts, but that some users' browsers lack. */
const tooNewWords = new Set(["withResolvers"]);

/** Lists what is wrong with the size, the name and the exports of a file. */
const shapeBreaches = ({ path, source }: Module): string[] => {
  const breaches: string[] = [];
  const lines = source.text.split("\n").length - 1;
  if (lines > maxLines) breaches.push(`has ${lines} lines, more than ${maxLines}`);
  if (emptyNames.test(path)) breaches.push("has a name that says nothing");
  if (!kebabCase.test(path)) breaches.push("has a name that is not in kebab-case");

  const imported = new Set<string>();
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const { name, namedBindings: bindings } = statement.importClause ?? {};
      const named = bindings && ts.isNamedImports(bindings) ? [...bindings.elements] : [bindings];
      for (const binding of [statement.importClause, ...named]) {
        if (binding?.name) imported.add(binding.name.text);
      }
      if (name) imported.add(name.text);
    }
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement;
      const isStar = exportClause === undefined || ts.isNamespaceExport(exportClause);
      if (isStar) breaches.push("has an export *");
      const passesOn =
        !isStar &&
        exportClause.elements.some(({ name, propertyName }) =>
          imported.has((propertyName ?? name).text),
        );
      if (!lists.has(path) && (moduleSpecifier !== undefined || passesOn)) {
        breaches.push("re-exports: only the lists of public names do");
      }
    } else if (lists.has(path)) {
      breaches.push("holds more than the list of public names");
    }
  }
  return breaches;
};

/** Lists the words that a file may not use. */
const wordBreaches = ({ path, source }: Module): string[] => {
  const knowsHttp = !/^mocks\/(artwork|domain)\//.test(path) || path === "mocks/domain/clock.ts";
  const words = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { text } = node;
      if (tooNewWords.has(text) || (!knowsHttp && foreignWords.has(text))) words.add(text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...words].map((word) => `uses ${word}`);
};

/** Names that a file declares and exports. */
const declaredExports = ({ source }: Module): string[] =>
  source.statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return [];
    const isExported = ts
      .getModifiers(statement)
      ?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    const declarations = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : [statement as ts.DeclarationStatement];
    return declarations.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
  });

/** Gives the exports of stand-ins, which must have the same names as those of their entries. */
const namesOfStandIns = (graph: ModuleGraph): Set<string> =>
  new Set(
    Object.values(standIns).flatMap((path) =>
      (graph.get(path)?.source.statements ?? []).flatMap((statement) => {
        if (!ts.isExportDeclaration(statement)) return [];
        const { exportClause } = statement;
        if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
        return exportClause.elements.map(({ name }) => name.text);
      }),
    ),
  );

/** Lists the names that two files export, because a search for a name must find one place. */
const nameBreaches = (modules: readonly Module[], graph: ModuleGraph): string[] => {
  const shared = namesOfStandIns(graph);
  const firstFiles = new Map<string, string>();
  const breaches: string[] = [];
  for (const module of modules) {
    for (const name of new Set(declaredExports(module))) {
      const first = firstFiles.get(name);
      if (first === undefined) firstFiles.set(name, module.path);
      else if (!shared.has(name)) breaches.push(`${module.path} exports ${name}, as ${first} does`);
    }
  }
  return breaches;
};

/** Lists what is wrong with the product's own files, one sentence each. */
export const fileBreaches = (graph: ModuleGraph): string[] => {
  const modules = [...graph.values()].filter(({ path }) => /^(src|mocks)\//.test(path));
  const ofFiles = modules.flatMap((module) =>
    [...new Set([...shapeBreaches(module), ...wordBreaches(module)])].map(
      (breach) => `${module.path} ${breach}`,
    ),
  );
  return [...ofFiles, ...nameBreaches(modules, graph)];
};
