/** Who may import whom, and what else holds for the files of each room, as a program. */
import { type ImportRule, rules } from "./house-rooms.ts";
import { domainImportBreach, shapeBreaches, wordBreaches } from "./house-shape.ts";
import { findCircles, type Module, type ModuleGraph, reachableFrom } from "./module-graph.ts";

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

/** The rooms without zod take types and constants of the contract, and none of its schemas. */
const knowsConstantsAlone = (path: string): boolean =>
  isInAny(path, ["mocks/seeded", "mocks/domain"]);

/** Of `src`, the mock knows no more than this, and its tests reach no more through it. */
const sharedWithTheMock = ["src/contract", "src/require-tool"];

const isForbidden = (target: string, never: readonly string[] | undefined): boolean =>
  isInAny(target, never) && !isInAny(target, sharedWithTheMock);

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
    else if (knowsConstantsAlone(path) && isIn(target, "src/contract") && !typeOnly) {
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

/** Circles of imports, of types either: no part of a circle can be read before the others. */
const circleBreaches = (graph: ModuleGraph): string[] => {
  const source = [...graph].filter(([path]) => isInAny(path, ["src", "mocks"]));
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
