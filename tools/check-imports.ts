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
 * Places are folders (`src/contract`) or files without their ending (`src/client/errors`), or packages
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
  { files: ["src/client/errors"], may: ["src/client/errors"], mayTypes: ["src/contract"] },
  {
    files: ["src/client/options"],
    may: ["src/client/options", "src/contract", "src/client/errors", "src/*"],
    mayTypes: ["src/submissions/index"],
    never: ["src/client/http", "src/client/resources", "src/client/polling", "ky"],
  },
  {
    files: ["src/client/http/send-request"],
    may: ["src/client/http/call", "src/client/options", "src/client/errors", "ky"],
    never: ["src/client/resources", "src/client/polling"],
  },
  {
    files: ["src/client/http"],
    may: ["src/client/http", "src/client/options", "src/contract", "src/client/errors", "src/*"],
    mayTypes: ["src/client/options/submissions"],
    never: ["src/client/resources", "src/client/polling"],
  },
  {
    files: ["src/client/resources"],
    may: [
      ...["src/client/resources", "src/client/polling", "src/client/http"],
      ...["src/client/options/rules", "src/contract", "src/client/errors", "src/*"],
    ],
    mayTypes: ["src/client/options", "src/submissions/index"],
    never: [
      "src/client/http/transport",
      "src/client/http/attempt",
      "src/client/http/interpret",
      "ky",
    ],
  },
  {
    // The one room of src for Node alone. It takes the client that its user has.
    files: ["src/submissions/file-store", "src/submissions/file"],
    may: ["src/submissions/file-store", "src/client/index", "node:*"],
    mayTypes: ["src/submissions/store/record-store"],
  },
  {
    // The command: a reader of a store, for Node alone.
    files: ["src/submissions/command", "src/submissions/cli"],
    may: [
      ...["src/submissions/index", "src/submissions/file", "src/client/index"],
      ...["src/contract", "src/client/errors", "node:*"],
    ],
    never: ["mocks", "msw", "bullmq"],
  },
  {
    // Paid calls, each once, and nothing of how they are sent. Ids are refused as by a call.
    files: ["src/submissions/index"],
    may: [
      ...[
        "src/submissions/index",
        "src/client/options/rules",
        "src/client/http/url",
        "src/client/internal/job-memory",
      ],
      ...["src/contract", "src/client/errors", "src/*"],
    ],
    never: [
      ...[
        "src/client/resources",
        "src/client/http/transport",
        "src/client/http/attempt",
        "src/client/http/interpret",
        "src/client/polling",
        "ky",
      ],
      ...["src/client/create-client", ...outsideTheClient],
    ],
  },
  {
    files: ["src/client/polling"],
    may: [
      ...[
        "src/client/polling",
        "src/client/http/job-ref",
        "src/client/internal/job-memory",
        "src/client/options/rules",
      ],
      "src/client/http/url",
      "src/client/http/call-time",
      ...["src/contract", "src/client/errors", "src/*"],
    ],
    mayTypes: ["src/client/options"],
    never: [
      "src/client/http/transport",
      "src/client/http/attempt",
      "src/client/http/interpret",
      "src/client/http/body",
      "src/client/resources",
      "ky",
    ],
  },
  {
    files: ["src/client/batch"],
    may: [
      ...[
        "src/client/batch",
        "src/client/polling",
        "src/client/http/body",
        "src/client/http/job-ref",
        "src/client/internal/job-memory",
      ],
      "src/client/options/rules",
      ...["src/contract", "src/client/errors", "src/*"],
    ],
    mayTypes: ["src/client/options", "src/client/resources"],
    never: [
      "src/client/http/transport",
      "src/client/http/attempt",
      "src/client/http/interpret",
      "src/client/resources/jobs",
      "ky",
    ],
  },
  {
    // A user of the client, in processes of its own. Its entry lies beside it.
    files: ["src/bullmq/index"],
    may: [
      ...["src/bullmq/index", "src/client/polling", "src/client/internal/job-memory"],
      ...["src/client/options/rules", "src/contract", "src/client/errors", "src/*", "bullmq"],
    ],
    mayTypes: ["src/client/create-client", "src/client/options", "src/submissions/index"],
    never: [
      "mocks",
      "msw",
      "node:*",
      "src/client/http/transport",
      "src/client/http/attempt",
      "src/client/http/interpret",
      "src/client/resources",
      "ky",
    ],
  },
  {
    // A user of the client, on a server. It may not know where its requests come from.
    files: ["src/proxy/index"],
    may: [
      ...[
        "src/proxy/index",
        "src/submissions/index",
        "src/client/index",
        "src/client/http/url",
        "src/client/options/rules",
      ],
      "src/client/options/environment",
      ...["src/contract", "src/client/errors", "src/*"],
    ],
    never: outsideTheClient,
  },
  {
    files: ["src/assumed/index"],
    may: ["src/assumed/index", "src/client/errors/text"],
    mayTypes: ["src/client/options/standard-schema", "src/contract"],
    never: [...outsideTheClient, "ky", "zod"],
  },
  {
    // Files in and out. It runs in browsers, so Node's modules come from `process` alone.
    files: ["src/files/index"],
    may: ["src/files/index", "src/client/options/rules", "src/client/errors", "src/*"],
    mayTypes: ["src/contract"],
    never: [
      ...outsideTheClient,
      "ky",
      "src/client/http/transport",
      "src/client/http/attempt",
      "src/client/http/interpret",
      "src/client/create-client",
    ],
  },
  {
    files: ["src/client/create-client", "src/client/index"],
    may: ["src"],
    never: outsideTheClient,
  },
  { files: ["src"], may: ["src"], never: outsideTheClient },
];

/** Floors of the engine: each may use those before it. */
const engine = [
  ...["mocks/artwork", "mocks/domain", "mocks/options", "mocks/faults", "mocks/outcomes"],
  ...["mocks/journal", "mocks/world", "mocks/http", "mocks/service"],
] as const;

const upTo = (room: (typeof engine)[number]): readonly string[] =>
  engine.slice(0, engine.indexOf(room) + 1);

/** Nothing of the engine may load these: it runs where neither Node nor MSW is. */
const outsideTheEngine = ["msw", "ky", "node:*", "mocks/faces"];

/** Parts of the engine that a face needs to play a reply. */
const replies = ["mocks/service", "mocks/options", "mocks/http", "mocks/guard"];

/** Types that the service's public methods take and give. */
const publicTypes = [
  ...["mocks/domain", "mocks/faults", "mocks/outcomes", "mocks/journal", "mocks/world"],
];

/** Rooms of the mock, from what the seed makes to the ways in. */
const mockRules: readonly ImportRule[] = [
  {
    files: ["mocks/artwork"],
    may: ["mocks/artwork", "src/contract"],
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
    files: ["mocks/guard"],
    may: ["mocks/guard", "src/contract"],
    never: outsideTheEngine,
  },
  {
    files: ["mocks/msw"],
    may: ["mocks/msw", ...replies, "src/contract", "src/client/internal/require-tool", "msw"],
    never: ["ky", "node:*", "mocks/server", "mocks/node", "mocks/browser"],
  },
  {
    files: ["mocks/node"],
    // The fixture makes clients as a user does: from the package's public face.
    may: [
      ...["mocks/node", "mocks/msw", ...replies],
      ...["mocks/domain/ids", "src/contract", "src/client/index", "msw"],
    ],
    never: ["node:*", "mocks/server", "mocks/browser"],
  },
  {
    files: ["mocks/browser"],
    may: ["mocks/browser", "mocks/msw", ...replies, "src/contract", "msw"],
    never: ["ky", "node:*", "mocks/server", "mocks/node"],
  },
  {
    files: ["mocks/server/page"],
    may: [
      ...["mocks/server/page", "mocks/service", "mocks/journal/redact"],
      ...["src/contract", "node:*", "hono"],
    ],
    mayTypes: publicTypes,
    never: ["msw", "ky"],
  },
  {
    files: ["mocks/server"],
    may: [
      ...["mocks/server", "mocks/connect/endless", ...replies],
      ...["src/contract", "node:*", "hono", "@hono/node-server"],
    ],
    mayTypes: publicTypes,
    never: ["msw", "ky"],
  },
  {
    files: ["mocks/connect"],
    // It steers a server by HTTP, and takes no more than types of the engine.
    may: ["mocks/connect"],
    mayTypes: [...publicTypes, "mocks/service"],
    never: ["zod", "msw", "ky", "hono", "node:*", "mocks/http", "mocks/world", "mocks/journal"],
  },
  {
    files: ["mocks/index"],
    may: [...engine, "mocks/guard", "src/contract"],
    never: outsideTheEngine,
  },
  { files: ["mocks/msw/index"], may: ["mocks/msw"], never: ["node:*", "ky"] },
  { files: ["mocks/node/index"], may: ["mocks/node", "mocks/msw"], never: ["node:*"] },
  { files: ["mocks/browser/index"], may: ["mocks/browser", "mocks/msw"], never: ["node:*"] },
  {
    files: ["mocks/browser/in-node"],
    may: ["mocks/browser/outside-a-browser"],
    never: ["node:*", "msw"],
  },
  { files: ["mocks/server/index"], may: ["mocks/server"], never: ["msw", "ky"] },
  { files: ["mocks/connect/index"], may: ["mocks/connect"], never: ["zod", "msw", "ky", "node:*"] },
  {
    // A user of the client and of the server: it knows the contract, and nothing of the engine.
    files: ["mocks/check"],
    may: [
      ...["mocks/check", "mocks/server/index", "mocks/server/read-flags"],
      ...["src/client/index", "src/contract", "node:*"],
    ],
    never: ["msw"],
  },
  {
    files: ["mocks/server/cli"],
    may: ["mocks/server/run-cli", "mocks/check", "node:*"],
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
  isInAny(path, ["mocks/artwork", "mocks/domain"]);

/** Of `src`, the mock knows no more than this, and its tests reach no more through it. */
const sharedWithTheMock = ["src/contract", "src/client/internal/require-tool"];

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
