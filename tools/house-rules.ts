/** Who may import whom: section "The house" of CONTRIBUTING.md, as a program. */
import ts from "typescript";
import { type Import, type Module, type ModuleGraph, reachableFrom } from "./module-graph.ts";

/**
 * Places are folders (`src/contract`) or files without their ending (`src/errors`), or packages
 * (`ky`, `node:*`). `src/*` stands for the files at the top of `src` that no rule names.
 */
interface ImportRule {
  readonly files: readonly string[];
  /** Where it may import from; anything when absent. */
  readonly may?: readonly string[];
  /** Where it may also import types from. */
  readonly mayTypes?: readonly string[];
  /** What it must not even load through others. */
  readonly never?: readonly string[];
}

const transport = ["src/transport", "src/attempt", "src/call-options"];
const judging = ["src/errors", "src/decode", "src/retry"];
/** The entries for msw, and what they are made of. */
const withMsw = [
  ...["mocks/msw", "mocks/node", "mocks/browser"],
  ...["mocks/setup-mock-server", "mocks/setup-mock-worker", "mocks/answer-unhandled"],
];
const outside = ["mocks", "msw", "node:*"];

/** The first rule that names a file holds for it. */
const rules: readonly ImportRule[] = [
  { files: ["src/contract"], may: ["src/contract", "zod"] },
  {
    files: judging,
    may: ["src/contract", ...judging, "src/*"],
    never: [...transport, "src/resources", "src/polling", "ky"],
  },
  {
    files: ["src/transport"],
    may: ["src/contract", "src/config", ...judging, ...transport, "src/*", "ky"],
    never: ["src/resources", "src/polling"],
  },
  {
    files: transport,
    may: ["src/contract", "src/config", ...judging, ...transport, "src/*"],
    mayTypes: ["ky"],
    never: ["src/resources", "src/polling", "ky"],
  },
  {
    files: ["src/resources"],
    may: ["src/contract", "src/errors", "src/resources", "src/polling", "src/*"],
    mayTypes: ["src"],
    never: ["src/config", ...transport, "ky"],
  },
  {
    files: ["src/polling"],
    may: ["src/contract", "src/errors", "src/polling", "src/*"],
    mayTypes: ["src"],
    never: ["src/config", ...transport, "src/resources", "ky"],
  },
  {
    files: ["src/config"],
    may: ["src/contract", "src/errors", "src/*"],
    mayTypes: ["src"],
    never: [...transport, "src/resources", "src/polling", "ky"],
  },
  { files: ["src/client", "src/index"], may: ["src"], never: outside },
  { files: ["src"], may: ["src"], never: outside },
  {
    files: ["mocks/domain"],
    may: ["mocks/domain", "src/contract"],
    never: ["msw", "ky", "node:*"],
  },
  // The fixture makes clients as a user does: from the package's public face.
  {
    files: ["mocks/mock-fixtures", "mocks/node"],
    may: ["mocks", "src/contract", "src/index", "msw"],
    never: ["node:*", "mocks/server"],
  },
  {
    files: withMsw,
    may: ["mocks", "src/contract", "msw"],
    never: ["ky", "node:*", "mocks/server"],
  },
  {
    files: ["mocks/server", "mocks/cli"],
    may: ["mocks", "src/contract", "node:*", "@hono/node-server", "hono"],
    never: ["msw", "ky"],
  },
  {
    files: ["mocks"],
    may: ["mocks", "src/contract"],
    never: ["msw", "ky", "node:*", ...withMsw, "mocks/server"],
  },
  { files: ["test/client"], never: ["mocks", "msw"] },
  { files: ["test/mocks"], never: ["src", "ky"] },
];

const isIn = (target: string, place: string): boolean => {
  if (place === "node:*") return target.startsWith("node:");
  if (place === "src/*")
    return /^src\/[^/]+\.ts$/.test(target) && ruleOf(target)?.files[0] === "src";
  return target === place || target === `${place}.ts` || target.startsWith(`${place}/`);
};

const isInAny = (target: string, places: readonly string[] = []): boolean =>
  places.some((place) => isIn(target, place));

const ruleOf = (path: string): ImportRule | undefined =>
  rules.find(({ files }) => isInAny(path, files));

/** Tests of the mock may know the contract, and nothing else of `src`. */
const isForbidden = (target: string, never: readonly string[] | undefined): boolean =>
  isInAny(target, never) && !isIn(target, "src/contract");

/** A constant is a value that is neither a schema nor a function. */
const isConstant = (module: Module | undefined, name: string): boolean =>
  module?.source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .some(
      ({ name: declared, initializer }) =>
        declared.getText() === name &&
        initializer !== undefined &&
        !ts.isArrowFunction(initializer) &&
        !/\bz\./.test(initializer.getText()),
    ) ?? false;

const domainImportBreach = (graph: ModuleGraph, { target, names }: Import): string | undefined => {
  const notConstants = names.filter((name) => !isConstant(graph.get(target), name));
  return notConstants.length === 0
    ? undefined
    : `takes ${notConstants.join(", ")} from ${target}: types and constants only`;
};

const importBreaches = (graph: ModuleGraph, { path, imports }: Module): string[] => {
  const rule = ruleOf(path);
  if (rule === undefined) return [];
  const breaches: string[] = [];
  for (const found of imports) {
    const { target, typeOnly } = found;
    const allowed =
      rule.may === undefined ||
      isInAny(target, rule.may) ||
      (typeOnly && isInAny(target, rule.mayTypes));
    const refused =
      isForbidden(target, rule.never) && !(typeOnly && isInAny(target, rule.mayTypes));
    if (!allowed || refused) breaches.push(`imports ${target}`);
    else if (isIn(path, "mocks/domain") && isIn(target, "src/contract") && !typeOnly) {
      breaches.push(...[domainImportBreach(graph, found)].filter((breach) => breach !== undefined));
    }
  }
  for (const [target, way] of reachableFrom(graph, path)) {
    if (way.length > 2 && isForbidden(target, rule.never)) {
      breaches.push(`loads ${target} through ${way.slice(1, -1).join(" → ")}`);
    }
  }
  return breaches;
};

const lists = new Set(["src/index.ts", "mocks/index.ts", "mocks/node.ts", "mocks/browser.ts"]);
const maxLines = 200;
const emptyNames = /\/(utils?|helpers?|common|misc|types|constants|base)\.ts$/;
const kebabCase = /^([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/;

/** Words that a domain without HTTP, timers and wall clock has no use for. */
const foreignWords = new Set(
  "Request Response Headers fetch setTimeout setInterval setImmediate performance".split(" "),
);

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

const wordBreaches = ({ path, source }: Module): string[] => {
  if (!isIn(path, "mocks/domain") || path === "mocks/domain/clock.ts") return [];
  const words = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && foreignWords.has(node.text)) words.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...words].map((word) => `uses ${word}`);
};

/** Every breach of the house rules, one sentence each; empty when there is none. */
export const findBreaches = (graph: ModuleGraph): string[] =>
  [...graph.values()].flatMap((module) => {
    const isProduct = isInAny(module.path, ["src", "mocks"]);
    const breaches = [
      ...importBreaches(graph, module),
      ...(isProduct ? [...shapeBreaches(module), ...wordBreaches(module)] : []),
    ];
    return [...new Set(breaches)].map((breach) => `${module.path} ${breach}`);
  });
