/** Checks which module may import which. docs/architecture.md draws the map of the modules. */
import ts from "typescript";
import {
  findCircles,
  type Import,
  type Module,
  type ModuleGraph,
  reachableFrom,
} from "./module-graph.ts";

/**
 * A module is a folder, or a file that needs a rule of its own. Its files may import each other and
 * what its rule names: a folder, a file without its ending, or a package. Types count as values do.
 */
interface ModuleRule {
  readonly module: string;
  readonly may: readonly string[];
  /** Places of which only types may be imported. */
  readonly mayTypes?: readonly string[];
}

/** Builds the rules of modules that lie in layers: each may import all those before it. */
const inLayers = (
  layers: readonly (readonly [module: string, ...others: string[]])[],
): ModuleRule[] =>
  layers.map(([module, ...others], place) => ({
    module,
    may: [...layers.slice(0, place).map(([earlier]) => earlier), ...others],
  }));

/**
 * Client modules that the other entries may import. They import everything else by the package's
 * name.
 */
const sharedParts = ["src/client/errors", "src/client/options", "src/client/internal"];
/** The package's name stands for `src/client/index.ts`. */
const ofEntries = ["src/contract", "src/client/index", ...sharedParts];

const clientRules: readonly ModuleRule[] = [
  { module: "src/contract", may: ["zod"], mayTypes: ["src/client/index"] },
  // Only this file calls ky. It knows nothing of what an answer means.
  {
    module: "src/client/http/send-request",
    may: [...sharedParts, "src/contract", "src/client/http/call", "ky"],
  },
  ...inLayers([
    ["src/client/internal", "src/contract"],
    ["src/client/errors", "src/contract"],
    ["src/client/options", "src/contract"],
    ["src/client/http", "src/contract", "src/client/http/send-request"],
    ["src/client/polling", "src/contract"],
    ["src/client/resources", "src/contract"],
    ["src/client/batch", "src/contract"],
    ["src/client", "src/contract", "src/client/batch"],
  ]),
  { module: "src/assumed", may: ofEntries },
  { module: "src/files", may: ofEntries },
  // These two need Node.
  {
    module: "src/submissions/file-store",
    may: ["src/client/index", "src/client/errors", "node:*"],
    mayTypes: ["src/submissions/store/record-store"],
  },
  { module: "src/submissions/file", may: ["src/submissions/file-store"] },
  {
    module: "src/submissions/command",
    may: [
      ...[...ofEntries, "node:*"],
      ...["src/submissions/index", "src/submissions/file", "src/submissions/store"],
    ],
  },
  { module: "src/submissions/cli", may: ["src/submissions/command", "node:*"] },
  { module: "src/submissions/store", may: ofEntries },
  { module: "src/submissions", may: [...ofEntries, "src/submissions/store"] },
  // The proxy keeps its records in the same store, in the same form.
  {
    module: "src/proxy",
    may: [...ofEntries, "src/submissions/index", "src/submissions/store"],
  },
  // The fleet waits for jobs by pollOnce, so it needs the options of waits and the first poll time.
  {
    module: "src/bullmq",
    may: [...ofEntries, "src/client/polling", "bullmq"],
    mayTypes: ["src/submissions/index"],
  },
];

/** Parts of the mock that an adapter needs to play a reply. */
const ofAdapters = ["mocks/service", "mocks/options", "mocks/http", "mocks/guard", "src/contract"];
/** Types that the service's public methods take and return. */
const publicTypes = ["mocks/domain", "mocks/faults", "mocks/outcomes", "mocks/journal"];

const mockRules: readonly ModuleRule[] = [
  ...inLayers([
    ["mocks/domain", "src/contract"],
    ["mocks/artwork", "src/contract"],
    ["mocks/options", "src/contract", "zod"],
    ["mocks/faults", "src/contract", "zod"],
    ["mocks/outcomes", "src/contract", "zod"],
    ["mocks/journal", "src/contract"],
    ["mocks/http", "src/contract"],
    ["mocks/service", "src/contract"],
  ]),
  { module: "mocks/guard", may: ["src/contract"] },
  { module: "mocks/msw", may: [...ofAdapters, "src/client/internal/require-tool", "msw"] },
  { module: "mocks/node", may: [...ofAdapters, "mocks/msw", "msw"] },
  { module: "mocks/browser", may: [...ofAdapters, "mocks/msw", "msw"] },
  {
    module: "mocks/server/page",
    may: ["mocks/service", "mocks/journal", "src/contract", "node:*", "hono"],
    mayTypes: publicTypes,
  },
  {
    module: "mocks/server",
    may: [
      ...ofAdapters,
      ...[
        "mocks/server/page",
        "mocks/check",
        "mocks/connect/json-with-infinity",
        "node:*",
        "hono",
        "@hono/node-server",
      ],
    ],
    mayTypes: publicTypes,
  },
  // This module controls a server over HTTP, so it needs only the types of the service.
  { module: "mocks/connect", may: [], mayTypes: [...publicTypes, "mocks/service"] },
  // This module uses the client, and knows nothing of the mock.
  {
    module: "mocks/check",
    may: ["src/client/index", "src/contract"],
  },
  {
    module: "mocks/index",
    may: ["mocks/guard", "mocks/service", "mocks/domain"],
    mayTypes: [...publicTypes, "mocks/options", "mocks/http"],
  },
];

const rules: readonly ModuleRule[] = [...clientRules, ...mockRules];

/** What tests must not load: tests of the client with the mock would only prove that both agree. */
const testsNever: Readonly<Record<string, readonly string[]>> = {
  "test/client": ["mocks", "msw"],
  "test/mocks": ["src/client", "src/submissions", "src/proxy", "ky"],
};
/** The file of the client's folder that the mock and its tests may load. */
const harmless = ["src/client/internal/require-tool"];

const isIn = (target: string, place: string): boolean => {
  if (place === "node:*") return target.startsWith("node:");
  return target === place || target === `${place}.ts` || target.startsWith(`${place}/`);
};

const isInAny = (target: string, places: readonly string[]): boolean =>
  places.some((place) => isIn(target, place));

/** The rule of the smallest module that a file lies in. */
const ruleOf = (path: string): ModuleRule | undefined =>
  rules
    .filter(({ module }) => isIn(path, module))
    .sort((one, other) => other.module.length - one.module.length)[0];

/** Names of all modules that have a rule. */
export const moduleNames: readonly string[] = rules.map(({ module }) => module);

/** Names the module of a file. */
export const moduleOf = (path: string): string | undefined => ruleOf(path)?.module;

/** Whether a rule lets a file import another: files of one module may import each other. */
const isAllowed = (rule: ModuleRule, { target, typeOnly }: Import): boolean => {
  const own = moduleOf(target);
  if (own === rule.module) return true;
  const places = typeOnly ? [...rule.may, ...(rule.mayTypes ?? [])] : rule.may;
  // The name of a module does not include the modules within its folder.
  return places.some(
    (place) =>
      isIn(target, place) &&
      (own === place || own === undefined || !isIn(own, place) || own.length <= place.length),
  );
};

/** Lists what the domain takes from the contract besides types and constants. */
const foreignToDomain = (graph: ModuleGraph, { target, names }: Import): string[] => {
  const isConstant = (name: string): boolean =>
    graph
      .get(target)
      ?.source.statements.filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .some(
        ({ name: declared, initializer }) =>
          declared.getText() === name &&
          initializer !== undefined &&
          !ts.isArrowFunction(initializer) &&
          !/\bz\./.test(initializer.getText()),
      ) ?? false;
  const found = names.filter((name) => !isConstant(name));
  if (found.length === 0) return [];
  return [`takes ${found.join(", ")} from ${target}: types and constants only`];
};

const breachesOf = (graph: ModuleGraph, { path, imports }: Module): string[] => {
  const rule = ruleOf(path);
  if (rule === undefined) {
    return /^(src|mocks)\//.test(path) ? ["lies in no module that has a rule"] : [];
  }
  const refused = imports.filter((found) => !isAllowed(rule, found));
  const ofContract = imports.filter(
    ({ target, typeOnly }) =>
      rule.module === "mocks/domain" && isIn(target, "src/contract") && !typeOnly,
  );
  return [
    ...refused.map(({ target }) => `imports ${target}`),
    ...ofContract.flatMap((found) => foreignToDomain(graph, found)),
  ];
};

/** Lists the files that a test must not load, but loads directly or through other files. */
const testBreaches = (graph: ModuleGraph, path: string): string[] => {
  const folder = Object.keys(testsNever).find((place) => isIn(path, place));
  const never = folder === undefined ? [] : (testsNever[folder] ?? []);
  if (never.length === 0) return [];
  return [...reachableFrom(graph, path)]
    .filter(([target]) => isInAny(target, never) && !isInAny(target, harmless))
    .map(([target, way]) => `loads ${[...way.slice(1, -1), target].join(" → ")}`);
};

/** Lists circles of imports. Imports of types count: no part of a circle can be read first. */
const circleBreaches = (graph: ModuleGraph): string[] => {
  const source = [...graph].filter(([path]) => /^(src|mocks)\//.test(path));
  return findCircles(new Map(source)).map(
    ([first = "", ...others]) =>
      `${first} is in a circle of imports: ${[...others, first].join(" → ")}`,
  );
};

/** Most layers of modules that a reader must climb. */
const maxLayers = 8;

/** Finds the longest chain of modules in which each imports the next. `nameOf` names the module. */
export const maxChain = (
  graph: ModuleGraph,
  nameOf: (path: string) => string | undefined,
): readonly string[] => {
  const uses = new Map<string, Set<string>>();
  for (const { path, imports } of graph.values()) {
    const from = nameOf(path);
    if (from === undefined) continue;
    const targets = uses.get(from) ?? new Set();
    uses.set(from, targets);
    for (const { target } of imports) {
      const to = nameOf(target);
      if (to !== undefined && to !== from) targets.add(to);
    }
  }
  const chainFrom = (name: string, above: readonly string[]): readonly string[] => {
    if (above.includes(name))
      return [...above, name, ...Array(maxLayers).fill("a circle of folders")];
    const chains = [...(uses.get(name) ?? [])].map((next) => chainFrom(next, [...above, name]));
    return chains.reduce(
      (one, other) => (other.length > one.length ? other : one),
      [...above, name],
    );
  };
  return [...uses.keys()]
    .map((name) => chainFrom(name, []))
    .reduce((one, other) => (other.length > one.length ? other : one), []);
};

/** The folders that a listing shows: in `src`, in the client and in the mock. */
const listings: readonly ((path: string) => string | undefined)[] = [
  (path) => /^src\/[^/]+/.exec(path)?.[0],
  (path) => /^src\/client\/(?:[^/]+(?=\/)|)/.exec(path)?.[0],
  (path) => /^mocks\/[^/]+/.exec(path)?.[0],
];

const layerBreaches = (graph: ModuleGraph): string[] =>
  listings
    .map((nameOf) => maxChain(graph, nameOf))
    .filter(({ length }) => length > maxLayers)
    .map((chain) => `more than ${maxLayers} layers: ${chain.join(" → ")}`);

/** Lists what is wrong with the imports of all files, one sentence each. */
export const importBreaches = (graph: ModuleGraph): string[] => [
  ...circleBreaches(graph),
  ...layerBreaches(graph),
  ...[...graph.values()].flatMap((module) =>
    [...new Set([...breachesOf(graph, module), ...testBreaches(graph, module.path)])].map(
      (breach) => `${module.path} ${breach}`,
    ),
  ),
];
