/** Who may import whom, as data. docs/architecture.md says what each room is for. */

/**
 * Places are folders (`src/contract`) or files without their ending (`src/errors`), or packages
 * (`ky`, `node:*`). `src/*` stands for the files at the top of `src` that no rule names.
 */
export interface ImportRule {
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
      ...["src/submissions", "src/options/rules", "src/http/url"],
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
    may: ["src/files", "src/options/rules", "src/errors"],
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
    may: ["mocks/check", "mocks/server", "src/index", "src/contract", "node:*"],
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
export const rules: readonly ImportRule[] = [
  ...clientRules,
  ...mockRules,
  { files: ["test/client"], never: ["mocks", "msw"] },
  { files: ["test/mocks"], never: ["src", "ky"] },
];
