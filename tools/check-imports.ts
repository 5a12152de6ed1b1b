/**
 * Who may import whom, as data, and the check of it. docs/architecture.md says what each room is for.
 */
import ts from "typescript";
import {
  findCircles,
  type Import,
  type Module,
  type ModuleGraph,
  reachableFrom,
} from "./module-graph.ts";

/**
 * Places are folders (`src/contract`) or files without their ending (`src/errors`), or packages
 * (`ky`, `node:*`). `src/*` stands for the files at the top of `src` that no rule names.
 */
interface ImportRule {
  readonly files: readonly string[];
  /** Places that it may import from; any place when absent. */
  readonly may?: readonly string[];
  /** Places that it may also import types from. */
  readonly mayTypes?: readonly string[];
  /** Places that it must not even load through others. */
  readonly never?: readonly string[];
}

const outsideTheClient = ["mocks", "msw", "node:*", "bullmq"];

/** Rooms of the client, from the wire to the calls. */
const clientRules: readonly ImportRule[] = [
  { files: ["src/contract"], may: ["src/contract", "zod"] },
  { files: ["src/errors"], may: ["src/errors"], mayTypes: ["src/contract"] },
  {
    files: ["src/options"],
    may: ["src/options", "src/contract", "src/errors", "src/*"],
    mayTypes: ["src/submissions"],
    never: ["src/http", "src/resources", "src/polling", "ky"],
  },
  {
    files: ["src/http/send-request"],
    may: ["src/http/call", "src/options", "src/errors", "ky"],
    never: ["src/resources", "src/polling"],
  },
  {
    files: ["src/http"],
    may: ["src/http", "src/options", "src/contract", "src/errors", "src/*"],
    mayTypes: ["src/submissions/submissions"],
    never: ["src/resources", "src/polling"],
  },
  {
    files: ["src/resources"],
    may: [
      ...["src/resources", "src/polling", "src/http"],
      ...["src/options/rules", "src/contract", "src/errors", "src/*"],
    ],
    mayTypes: ["src/options", "src/submissions"],
    never: ["src/http/transport", "src/http/attempt", "src/http/interpret", "ky"],
  },
  {
    // The one room of src for Node alone. It takes the client that its user has.
    files: ["src/submissions/file", "src/submissions-file"],
    may: ["src/submissions/file", "src/index", "node:*"],
    mayTypes: ["src/submissions/record-store"],
  },
  {
    // The command: a reader of a store, for Node alone.
    files: ["src/submissions/command", "src/submissions-cli"],
    may: [
      ...["src/submissions", "src/submissions-file", "src/index"],
      ...["src/contract", "src/errors", "node:*"],
    ],
    never: ["mocks", "msw", "bullmq"],
  },
  {
    // Paid calls, each once, and nothing of how they are sent. Ids are refused as by a call.
    files: ["src/submissions"],
    may: [
      ...["src/submissions", "src/options/rules", "src/http/url", "src/http/job-memory"],
      ...["src/contract", "src/errors", "src/*"],
    ],
    never: [
      ...[
        "src/resources",
        "src/http/transport",
        "src/http/attempt",
        "src/http/interpret",
        "src/polling",
        "ky",
      ],
      ...["src/client", ...outsideTheClient],
    ],
  },
  {
    files: ["src/polling"],
    may: [
      ...["src/polling", "src/http/job-ref", "src/http/job-memory", "src/options/rules"],
      "src/http/url",
      "src/http/call-time",
      ...["src/contract", "src/errors", "src/*"],
    ],
    mayTypes: ["src/options"],
    never: [
      "src/http/transport",
      "src/http/attempt",
      "src/http/interpret",
      "src/http/body",
      "src/resources",
      "ky",
    ],
  },
  {
    files: ["src/batch"],
    may: [
      ...["src/batch", "src/polling", "src/http/body", "src/http/job-ref", "src/http/job-memory"],
      "src/options/rules",
      ...["src/contract", "src/errors", "src/*"],
    ],
    mayTypes: ["src/options", "src/resources"],
    never: [
      "src/http/transport",
      "src/http/attempt",
      "src/http/interpret",
      "src/resources/jobs",
      "ky",
    ],
  },
  {
    // A user of the client, in processes of its own. Its entry lies beside it.
    files: ["src/bullmq"],
    may: [
      ...["src/bullmq", "src/polling", "src/http/job-memory"],
      ...["src/options/rules", "src/contract", "src/errors", "src/*", "bullmq"],
    ],
    mayTypes: ["src/client", "src/options", "src/submissions"],
    never: [
      "mocks",
      "msw",
      "node:*",
      "src/http/transport",
      "src/http/attempt",
      "src/http/interpret",
      "src/resources",
      "ky",
    ],
  },
  {
    // A user of the client, on a server. It may not know where its requests come from.
    files: ["src/proxy"],
    may: [
      ...["src/proxy", "src/submissions", "src/index", "src/http/url", "src/options/rules"],
      "src/options/environment",
      ...["src/contract", "src/errors", "src/*"],
    ],
    never: outsideTheClient,
  },
  {
    files: ["src/assumed"],
    may: ["src/assumed", "src/errors/text"],
    mayTypes: ["src/options/standard-schema", "src/contract"],
    never: [...outsideTheClient, "ky", "zod"],
  },
  {
    // Files in and out. It runs in browsers, so Node's modules come from `process` alone.
    files: ["src/files"],
    may: ["src/files", "src/options/rules", "src/errors", "src/*"],
    mayTypes: ["src/contract"],
    never: [
      ...outsideTheClient,
      "ky",
      "src/http/transport",
      "src/http/attempt",
      "src/http/interpret",
      "src/client",
    ],
  },
  { files: ["src/client", "src/index"], may: ["src"], never: outsideTheClient },
  { files: ["src"], may: ["src"], never: outsideTheClient },
];

/** Floors of the engine: each may use those before it. */
const engine = [
  ...["mocks/seeded", "mocks/domain", "mocks/options", "mocks/faults", "mocks/outcomes"],
  ...["mocks/journal", "mocks/world", "mocks/http", "mocks/service"],
] as const;

const upTo = (room: (typeof engine)[number]): readonly string[] =>
  engine.slice(0, engine.indexOf(room) + 1);

/** Nothing of the engine may load these: it runs where neither Node nor MSW is. */
const outsideTheEngine = ["msw", "ky", "node:*", "mocks/faces"];

/** Parts of the engine that a face needs to play a reply. */
const replies = ["mocks/service", "mocks/options", "mocks/http", "mocks/network"];

/** Types that the service's public methods take and give. */
const publicTypes = [
  ...["mocks/domain", "mocks/faults", "mocks/outcomes", "mocks/journal", "mocks/world"],
];

/** Rooms of the mock, from what the seed makes to the ways in. */
const mockRules: readonly ImportRule[] = [
  {
    files: ["mocks/seeded"],
    may: ["mocks/seeded", "src/contract"],
    never: outsideTheEngine,
  },
  {
    files: ["mocks/domain"],
    may: [...upTo("mocks/domain"), "src/contract"],
    never: outsideTheEngine,
  },
  {
    files: ["mocks/options"],
    may: [...upTo("mocks/options"), "src/contract", "zod"],
    never: outsideTheEngine,
  },
  {
    files: ["mocks/faults"],
    may: [...upTo("mocks/faults"), "src/contract", "zod"],
    never: outsideTheEngine,
  },
  {
    files: ["mocks/outcomes"],
    may: [...upTo("mocks/options"), "mocks/outcomes", "src/contract", "zod"],
    never: outsideTheEngine,
  },
  {
    files: ["mocks/journal"],
    may: [...upTo("mocks/faults"), "mocks/journal", "src/contract", "zod"],
    never: [...outsideTheEngine, "mocks/outcomes"],
  },
  {
    files: ["mocks/world"],
    may: [...upTo("mocks/world"), "src/contract", "zod"],
    never: outsideTheEngine,
  },
  { files: ["mocks/http"], may: [...upTo("mocks/http"), "src/contract"], never: outsideTheEngine },
  {
    files: ["mocks/service"],
    may: [...upTo("mocks/service"), "src/contract"],
    never: outsideTheEngine,
  },
  {
    files: ["mocks/network"],
    may: ["mocks/network", "src/contract"],
    never: outsideTheEngine,
  },
  {
    files: ["mocks/faces/msw"],
    may: ["mocks/faces/msw", ...replies, "src/contract", "src/require-tool", "msw"],
    never: ["ky", "node:*", "mocks/faces/server", "mocks/faces/node", "mocks/faces/browser"],
  },
  {
    files: ["mocks/faces/node"],
    // The fixture makes clients as a user does: from the package's public face.
    may: [
      ...["mocks/faces/node", "mocks/faces/msw", ...replies],
      ...["mocks/seeded/ids", "src/contract", "src/index", "msw"],
    ],
    never: ["node:*", "mocks/faces/server", "mocks/faces/browser"],
  },
  {
    files: ["mocks/faces/browser"],
    may: ["mocks/faces/browser", "mocks/faces/msw", ...replies, "src/contract", "msw"],
    never: ["ky", "node:*", "mocks/faces/server", "mocks/faces/node"],
  },
  {
    files: ["mocks/faces/server/page"],
    may: [
      ...["mocks/faces/server/page", "mocks/service", "mocks/journal/redact"],
      ...["src/contract", "node:*", "hono"],
    ],
    mayTypes: publicTypes,
    never: ["msw", "ky"],
  },
  {
    files: ["mocks/faces/server"],
    may: [
      ...["mocks/faces/server", "mocks/faces/remote/endless", ...replies],
      ...["src/contract", "node:*", "hono", "@hono/node-server"],
    ],
    mayTypes: publicTypes,
    never: ["msw", "ky"],
  },
  {
    files: ["mocks/faces/remote"],
    // It steers a server by HTTP, and takes no more than types of the engine.
    may: ["mocks/faces/remote"],
    mayTypes: [...publicTypes, "mocks/service"],
    never: ["zod", "msw", "ky", "hono", "node:*", "mocks/http", "mocks/world", "mocks/journal"],
  },
  {
    files: ["mocks/index"],
    may: [...engine, "mocks/network", "src/contract"],
    never: outsideTheEngine,
  },
  { files: ["mocks/msw"], may: ["mocks/faces/msw"], never: ["node:*", "ky"] },
  { files: ["mocks/node"], may: ["mocks/faces/node", "mocks/faces/msw"], never: ["node:*"] },
  { files: ["mocks/browser"], may: ["mocks/faces/browser", "mocks/faces/msw"], never: ["node:*"] },
  {
    files: ["mocks/browser-in-node"],
    may: ["mocks/faces/browser/outside-a-browser"],
    never: ["node:*", "msw"],
  },
  { files: ["mocks/server"], may: ["mocks/faces/server"], never: ["msw", "ky"] },
  { files: ["mocks/connect"], may: ["mocks/faces/remote"], never: ["zod", "msw", "ky", "node:*"] },
  {
    // A user of the client and of the server: it knows the contract, and nothing of the engine.
    files: ["mocks/check"],
    may: [
      ...["mocks/check", "mocks/server", "mocks/faces/server/read-flags"],
      ...["src/index", "src/contract", "node:*"],
    ],
    never: ["msw"],
  },
  {
    files: ["mocks/cli"],
    may: ["mocks/faces/server/run-cli", "mocks/check", "node:*"],
    never: ["msw"],
  },
  // Every file of the mock lies in a room, or is an entry.
  { files: ["mocks"], may: [] },
];

/** The first rule that names a file holds for it. */
const rules: readonly ImportRule[] = [
  ...clientRules,
  ...mockRules,
  { files: ["test/client"], never: ["mocks", "msw"] },
  { files: ["test/mocks"], never: ["src", "ky"] },
];

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

/** Says what the domain takes from the contract beside types and constants. */
const domainImportBreach = (graph: ModuleGraph, { target, names }: Import): string | undefined => {
  const notConstants = names.filter((name) => !isConstant(graph.get(target), name));
  return notConstants.length === 0
    ? undefined
    : `takes ${notConstants.join(", ")} from ${target}: types and constants only`;
};

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

const breachesOf = (graph: ModuleGraph, { path, imports }: Module): string[] => {
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

/** Lists what is wrong with the imports of all files, one sentence each. */
export const importBreaches = (graph: ModuleGraph): string[] => [
  ...circleBreaches(graph),
  ...[...graph.values()].flatMap((module) =>
    [...new Set(breachesOf(graph, module))].map((breach) => `${module.path} ${breach}`),
  ),
];
