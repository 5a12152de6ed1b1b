import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fileBreaches } from "../tools/check-files.ts";
import { importBreaches, ruleNameOf, ruleNames } from "../tools/check-imports.ts";
import { commands, entries, standIns } from "../tools/entries.ts";
import { parseModules } from "../tools/module-graph.ts";

const breachesOf = (files: Record<string, string>): string[] => {
  const graph = parseModules(files);
  return [...importBreaches(graph), ...fileBreaches(graph)];
};

test("this repository keeps the house rules", () => {
  const paths = globSync("{src,mocks,test}/**/*.ts").map((path) => path.replaceAll("\\", "/"));
  expect(paths).toContain("src/client/index.ts");
  const files = paths.map((path) => [path, readFileSync(path, "utf8")] as const);
  expect(breachesOf(Object.fromEntries(files))).toEqual([]);
});

/** Text of a file that imports something, its types alone, or passes a name of it on. */
const textOf = (text: string): string => {
  const [, how, target] = /^(type |export )?(\S+)$/.exec(text) ?? [];
  if (target === undefined) return text;
  if (how === undefined) return `import "${target}";`;
  return how === "type " ? `import type { T } from "${target}";` : `export { d } from "${target}";`;
};

/** Imports that each room refuses, a file of it each time; or a text that it may not hold. */
const refused: Readonly<Record<string, readonly string[]>> = {
  "src/contract/jobs.ts": ["../errors/errors.ts", "ky"],
  "src/client/errors/errors.ts": ["../contract/jobs.ts", "type ../http/call.ts"],
  "src/client/options/rules.ts": ["../http/transport.ts", "ky"],
  "src/client/http/call.ts": ["../resources/jobs.ts", "type ../polling/look.ts"],
  "src/client/http/interpret.ts": ["type ky", "zod/mini"],
  "src/client/http/send-request.ts": ["./interpret.ts"],
  "src/client/http/attempt.ts": ["ky"],
  "src/client/resources/jobs.ts": [
    "../http/transport.ts",
    'import { type Call } from "../http/interpret.ts";',
    "../http/interpret.ts",
  ],
  "src/client/polling/poll-job.ts": ["../options/resolve-config.ts", "../resources/jobs.ts"],
  "src/polling/look.ts": ["type ../resources/jobs.ts"],
  "src/client/batch/run-batch.ts": ["../http/transport.ts"],
  "src/client/batch/requests.ts": ["../resources/jobs.ts"],
  "src/submissions/store/records.ts": ["node:fs"],
  "src/submissions/run-once.ts": ["../http/transport.ts"],
  "src/submissions/command/run-command.ts": ["../../client.ts"],
  "src/submissions/file/database.ts": ["../../errors/errors.ts"],
  "src/bullmq/create-processor.ts": ["../client.ts"],
  "src/bullmq/holds.ts": ["node:crypto"],
  "src/proxy/create-proxy.ts": ["../http/call.ts"],
  "src/proxy/redis-store.ts": ["node:net"],
  "src/assumed/library.ts": ["../errors/adgen-error.ts"],
  "src/assumed/results.ts": ["zod/mini"],
  "src/files/open-file.ts": ["node:fs/promises", "../http/transport.ts"],
  "src/client/options/hooks.ts": ["bullmq"],
  "src/client/create-client.ts": ["adgen-sdk/mocks", "type ../mocks/index.ts"],
  "src/client/errors/result.ts": [
    "node:util",
    'await import("node:util");',
    'export let h: import("msw").HttpHandler;',
  ],
  "mocks/artwork/results.ts": ["type ../domain/jobs.ts"],
  "mocks/domain/ids.ts": ["export const f = (r: Request) => r.url;"],
  "mocks/domain/jobs.ts": [
    "zod/mini",
    "../http/answer.ts",
    "export const f = (r: Request) => r.url;",
    "setTimeout(() => {}, 1);",
  ],
  "mocks/options/require.ts": ["../faults/fault.ts"],
  "mocks/faults/fault.ts": ["../journal/journal.ts", "../http/delivery.ts"],
  "mocks/outcomes/outcome.ts": ["../faults/fault.ts"],
  "mocks/journal/journal.ts": ["../world/world.ts", "type ../outcomes/outcome.ts"],
  "mocks/http/service-state.ts": ["../http/reply.ts"],
  "mocks/http/answer.ts": ["type ../service/mock-service.ts", "zod/mini"],
  "mocks/service/fetch.ts": ["msw", "node:fs", "adgen-sdk", "../faces/msw/deliver.ts"],
  "mocks/guard/guard.ts": ["../service/fetch.ts"],
  "mocks/msw/handlers.ts": ["../../../src/errors/errors.ts", "../../domain/jobs.ts"],
  "mocks/node/interception.ts": ["../server/app.ts"],
  "mocks/browser/setup-mock-worker.ts": ["../node/interception.ts"],
  "mocks/browser/in-node.ts": ["export ./service/create-mock-service.ts"],
  "mocks/server/page/page.ts": ["../../../http/match.ts"],
  "mocks/server/app.ts": ["msw", "../../domain/jobs.ts"],
  "mocks/index.ts": ["export ./faces/msw/deliver.ts"],
  "mocks/msw/index.ts": ["export ./domain/jobs.ts"],
  "mocks/node/index.ts": ["export ./faces/server/app.ts"],
  "mocks/browser/index.ts": ["export node:fs"],
  "mocks/server/index.ts": ["export msw"],
  "mocks/connect/connect-mock.ts": ["../../service/create-mock-service.ts"],
  "mocks/connect/index.ts": ["export ./service/fetch.ts"],
  "mocks/check/check.ts": ["../service/fetch.ts", "msw"],
  "mocks/server/cli.ts": ["./service/fetch.ts"],
  "mocks/route.ts": ["./http/match.ts"],
  "test/client/a.test.ts": ["adgen-sdk/mocks"],
  "test/mocks/a.test.ts": ["adgen-sdk"],
  "src/client/index.ts": ['export * from "./errors/errors.ts";', "export const version = 1;"],
  // A second list of names, in one step or in two.
  "src/encode.ts": [
    'export { AdGenError } from "./errors/errors.ts";',
    'import { AdGenError } from "./errors/errors.ts";\nexport { AdGenError };',
  ],
  "src/utils.ts": ["export const x = 1;"],
  "src/readBody.ts": ["export const x = 1;"],
  // Methods that are too new for the runtimes.
  "src/client/internal/sleep.ts": ["Promise.withResolvers();"],
  "mocks/service/answer.ts": ["Promise.withResolvers();", "const { withResolvers: w } = Promise;"],
};

const rowsOf = (texts: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(texts).flatMap(([file, each]) => each.map((text) => ({ file, text })));

test("a breach is planted for each rule of the product", () => {
  const broken = new Set(Object.keys(refused).map(ruleNameOf));
  const ofProduct = ruleNames.filter((name) => /^(src|mocks)/.test(name));
  expect(ofProduct.filter((name) => !broken.has(name))).toEqual([]);
});

test("each room has a rule of its own", () => {
  const rooms = globSync(["src/*/", "mocks/*/", "mocks/faces/*/", "mocks/server/*/"])
    .map((path) => path.replaceAll("\\", "/").replace(/\/$/, ""))
    .filter((path) => path !== "mocks/faces");
  expect(rooms).toContain("src/client/http");
  expect(rooms).toContain("mocks/server/page");
  expect(rooms.filter((room) => !ruleNames.includes(room))).toEqual([]);
});

test("only entries lie loose in mocks", () => {
  const loose = globSync("mocks/*.*").map((path) => path.replaceAll("\\", "/"));
  const entryFiles: string[] = [entries, standIns, commands].flatMap(Object.values);
  expect(loose.filter((path) => !entryFiles.includes(path))).toEqual([]);
});

describe("reports a planted breach", () => {
  const long = { file: "src/client/errors/result.ts", text: "\n".repeat(301) };

  test.each([...rowsOf(refused), long])("$text in $file", ({ file, text }) => {
    const breaches = breachesOf({ [file]: textOf(text) });
    expect(breaches).toHaveLength(1);
    expect(breaches[0]).toContain(file);
  });

  test("an import through another file", () => {
    expect(
      breachesOf({
        "src/client/options/rules.ts": 'import "../sleep.ts";',
        "src/client/internal/sleep.ts": 'import "./hooks.ts";',
        "src/client/options/hooks.ts": 'import "./http/transport.ts";',
      }),
    ).toEqual([
      "src/client/options/rules.ts loads src/client/http/transport.ts through src/client/internal/sleep.ts → src/client/options/hooks.ts",
    ]);
  });

  test("a schema taken into the domain", () => {
    const contract =
      "import * as z from 'zod/mini';\nexport const max = 10;\nexport const s = z.object({});";
    expect(
      breachesOf({
        "src/contract/jobs.ts": contract,
        "mocks/domain/jobs.ts": 'import { max, s, type J } from "../../src/contract/jobs.ts";',
      }),
    ).toEqual(["mocks/domain/jobs.ts takes s from src/contract/jobs.ts: types and constants only"]);
  });
});

describe("reports a planted circle", () => {
  test("of two files", () => {
    const files = {
      "src/http/a.ts": 'import "./b.ts";',
      "src/http/b.ts": 'import "./a.ts";',
    };
    expect(breachesOf(files)).toEqual([
      "src/http/a.ts is in a circle of imports: src/http/b.ts → src/http/a.ts",
    ]);
  });

  test("of types, through a third file, and of a file that leads to it only once", () => {
    const files = {
      "src/errors/a.ts": 'import type { B } from "./b.ts";',
      "src/errors/b.ts": 'export let c: import("./c.ts").C;',
      "src/errors/c.ts": 'import type { A } from "./a.ts";',
      "src/errors/before.ts": 'import "./a.ts";',
    };
    expect(breachesOf(files)).toEqual([
      "src/errors/a.ts is in a circle of imports: src/errors/b.ts → src/errors/c.ts → src/errors/a.ts",
    ]);
  });

  test("of a file with itself", () => {
    expect(breachesOf({ "src/errors/a.ts": 'import type { A } from "./a.ts";' })).toEqual([
      "src/errors/a.ts is in a circle of imports: src/errors/a.ts",
    ]);
  });
});

const allowed: Readonly<Record<string, readonly string[]>> = {
  "src/client/resources/jobs.ts": ["type ../http/call.ts"],
  "src/client/polling/poll-job.ts": ["../http/job-ref.ts", "../sleep.ts"],
  "src/client/create-client.ts": ["./http/transport.ts", "./resources/jobs.ts"],
  "src/client/http/send-request.ts": ["ky"],
  "src/client/errors/make-error.ts": ["type ../contract/endpoint.ts"],
  "src/client/http/interpret.ts": ["type ../options/rules.ts", "type ../http/call.ts"],
  "mocks/domain/jobs.ts": ["type ../../src/contract/jobs.ts"],
  "test/mocks/a.test.ts": ["../../src/contract/actions.ts"],
  "mocks/msw/handlers.ts": ["msw"],
};

test.each(rowsOf(allowed))("allows $text in $file", ({ file, text }) => {
  expect(breachesOf({ [file]: textOf(text) })).toEqual([]);
});

test("allows two ways to the same file", () => {
  const files = {
    "src/errors/a.ts": 'import "./b.ts";\nimport "./c.ts";',
    "src/errors/b.ts": 'import "./d.ts";',
    "src/errors/c.ts": 'import "./d.ts";',
    "src/errors/d.ts": "export const d = 1;",
  };
  expect(breachesOf(files)).toEqual([]);
});
