/** Who may import whom: section "The house" of CONTRIBUTING.md, as a program. */
import { domainImportBreach, shapeBreaches, wordBreaches } from "./house-shape.ts";
import { findCircles, type Module, type ModuleGraph, reachableFrom } from "./module-graph.ts";

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

/** The entries for msw, and what they are made of. */
const withMsw = [
  ...["mocks/msw", "mocks/node", "mocks/browser"],
  ...["mocks/setup-mock-server", "mocks/setup-mock-worker", "mocks/answer-unhandled"],
];
const outside = ["mocks", "msw", "node:*"];

/** The first rule that names a file holds for it. */
const rules: readonly ImportRule[] = [
  { files: ["src/contract"], may: ["src/contract", "zod"] },
  { files: ["src/errors"], may: ["src/errors"], mayTypes: ["src/contract"] },
  {
    files: ["src/options"],
    may: ["src/options", "src/contract", "src/errors", "src/*"],
    mayTypes: ["src/answer/standard-schema"],
    never: ["src/request", "src/answer", "src/transport", "src/resources", "src/polling", "ky"],
  },
  {
    files: ["src/request"],
    may: ["src/request", "src/options", "src/contract", "src/errors", "src/*"],
    never: ["src/answer", "src/transport", "src/resources", "src/polling", "ky"],
  },
  {
    files: ["src/answer"],
    may: ["src/answer", "src/request", "src/contract", "src/errors", "src/*"],
    mayTypes: ["src/options", "src/transport/call"],
    never: ["src/transport", "src/resources", "src/polling", "ky"],
  },
  {
    files: ["src/transport/send-request"],
    may: ["src/transport", "src/options", "src/errors", "ky"],
    never: ["src/resources", "src/polling"],
  },
  {
    files: ["src/transport"],
    may: [
      ...["src/transport", "src/answer", "src/request", "src/options"],
      ...["src/contract", "src/errors", "src/*"],
    ],
    never: ["src/resources", "src/polling"],
  },
  {
    files: ["src/resources"],
    may: [
      ...["src/resources", "src/polling", "src/answer/check-schema", "src/request"],
      ...["src/options/rules", "src/contract", "src/errors", "src/*"],
    ],
    mayTypes: ["src/options", "src/answer", "src/transport/call"],
    never: ["src/transport", "ky"],
  },
  {
    files: ["src/polling"],
    may: [
      ...["src/polling", "src/resources/job-ref", "src/options/rules"],
      ...["src/contract", "src/errors", "src/*"],
    ],
    mayTypes: ["src/options"],
    never: ["src/transport", "src/answer", "src/request/body", "src/resources/jobs", "ky"],
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
    files: ["mocks/snapshot-schema"],
    may: ["src/contract", "zod"],
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

/** The first place of each rule, which names it. */
export const ruleNames: readonly string[] = rules.map(({ files: [name = ""] }) => name);

/** Names the rule that holds for a file. */
export const ruleNameOf = (path: string): string | undefined => ruleOf(path)?.files[0];

/** Tests of the mock may know the contract, and nothing else of `src`. */
const isForbidden = (target: string, never: readonly string[] | undefined): boolean =>
  isInAny(target, never) && !isIn(target, "src/contract");

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

/** Circles in `src`, of types either: no part of a circle can be read before the others. */
const circleBreaches = (graph: ModuleGraph): string[] => {
  const source = [...graph].filter(([path]) => isIn(path, "src"));
  return findCircles(new Map(source)).map(
    ([first = "", ...others]) =>
      `${first} is in a circle of imports: ${[...others, first].join(" → ")}`,
  );
};

/** Lists every breach of the house rules, one sentence each. */
export const findBreaches = (graph: ModuleGraph): string[] => [
  ...circleBreaches(graph),
  ...[...graph.values()].flatMap((module) => {
    const isProduct = isInAny(module.path, ["src", "mocks"]);
    const breaches = [
      ...importBreaches(graph, module),
      ...(isProduct ? [...shapeBreaches(module), ...wordBreaches(module)] : []),
    ];
    return [...new Set(breaches)].map((breach) => `${module.path} ${breach}`);
  }),
];
