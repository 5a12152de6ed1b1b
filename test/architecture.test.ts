// The repository keeps the rules of folders, files and imports, and a planted breach is reported.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fileBreaches } from "../tools/check-files.ts";
import { importBreaches, moduleNames, moduleOf } from "../tools/check-imports.ts";
import { parseModules } from "../tools/module-graph.ts";
import { runNode } from "./helpers/run-node.ts";

const breachesOf = (files: Record<string, string>): string[] => {
  const graph = parseModules(files);
  return [...importBreaches(graph), ...fileBreaches(graph)];
};

const list = (pattern: string): string[] =>
  globSync(pattern).map((path) => path.replaceAll("\\", "/").replace(/\/$/, ""));

test("this repository keeps its rules", () => {
  const paths = list("{src,mocks,test}/**/*.ts");
  expect(paths).toContain("src/client/index.ts");
  const files = paths.map((path) => [path, readFileSync(path, "utf8")] as const);
  expect(breachesOf(Object.fromEntries(files))).toEqual([]);
});

test("each folder lies in a module that has a rule", () => {
  const folders = list("{src,mocks}/*/**/").filter((path) => list(`${path}/*.ts`).length > 0);
  expect(folders).toContain("src/client/http");
  expect(folders.filter((folder) => moduleOf(`${folder}/some-file.ts`) === undefined)).toEqual([]);
});

/** Writes a file that imports something, imports only its types, or re-exports from it. */
const textOf = (text: string): string => {
  const [, how, target] = /^(type |export )?(\S+)$/.exec(text) ?? [];
  if (target === undefined) return text;
  if (how === undefined) return `import "${target}";`;
  return how === "type " ? `import type { T } from "${target}";` : `export { d } from "${target}";`;
};

/** For a file of each module: imports that are refused, or a text that it must not hold. */
const refused: Readonly<Record<string, readonly string[]>> = {
  "src/contract/jobs.ts": ["../client/errors/errors.ts", "ky"],
  "src/client/internal/sleep.ts": ["../options/rules.ts", "node:timers"],
  "src/client/errors/errors.ts": ["type ../http/call.ts", "../../submissions/store/record.ts"],
  "src/client/options/rules.ts": ["../http/transport.ts", "ky", "type ../../submissions/index.ts"],
  "src/client/http/call.ts": ["../resources/jobs.ts", "type ../polling/poll.ts", "ky"],
  "src/client/http/interpret.ts": ["type ky", "zod/mini"],
  "src/client/http/send-request.ts": ["./interpret.ts"],
  "src/client/polling/poll-job.ts": ["../resources/jobs.ts", "adgen-sdk"],
  "src/client/resources/jobs.ts": ["../../submissions/run-once.ts", "../batch/run-batch.ts"],
  "src/client/batch/requests.ts": ["../create-client.ts"],
  "src/client/create-client.ts": ["adgen-sdk/mocks", "type ../../mocks/index.ts", "bullmq"],
  "src/client/index.ts": [
    'export * from "./errors/errors.ts";',
    "export const version = 1;",
    "export ../submissions/index.ts",
  ],
  "src/assumed/results.ts": ["zod/mini", "../client/http/decode.ts"],
  "src/files/open-file.ts": ["node:fs/promises", "../client/http/transport.ts"],
  "src/submissions/run-once.ts": ["../client/http/transport.ts", "node:fs", "./file.ts"],
  "src/submissions/store/records.ts": ["node:fs", "../run-once.ts"],
  "src/submissions/file-store/writers.ts": ["../../client/options/rules.ts"],
  "src/submissions/file.ts": ["export ./store/memory-store.ts"],
  "src/submissions/command/run-command.ts": ["../run-once.ts", "../../proxy/limits.ts"],
  "src/submissions/cli.ts": ["./create-submissions.ts"],
  "src/proxy/create-proxy.ts": ["../client/http/call.ts", "../submissions/run-once.ts", "node:net"],
  "src/bullmq/create-processor.ts": ["../client/create-client.ts", "../submissions/store/clock.ts"],
  "mocks/domain/jobs.ts": [
    ...["zod/mini", "../http/answer.ts", "type ../artwork/results.ts"],
    ...["export const f = (r: Request) => r.url;", "setTimeout(() => {}, 1);"],
  ],
  "mocks/artwork/results.ts": ["type ../options/options.ts"],
  "mocks/options/require.ts": ["../faults/fault.ts"],
  "mocks/faults/fault.ts": ["../journal/journal.ts", "../http/delivery.ts"],
  "mocks/outcomes/outcome.ts": ["../service/jobs.ts"],
  "mocks/journal/journal.ts": ["../http/service-state.ts"],
  "mocks/http/answer.ts": ["type ../service/mock-service.ts", "zod/mini"],
  "mocks/service/fetch.ts": ["msw", "node:fs", "adgen-sdk", "../msw/deliver.ts"],
  "mocks/guard/guard.ts": ["../service/fetch.ts", "node:http"],
  "mocks/msw/handlers.ts": ["../../src/client/errors/errors.ts", "../domain/jobs.ts"],
  "mocks/node/interception.ts": ["../server/app.ts", "adgen-sdk"],
  "mocks/browser/setup-mock-worker.ts": ["../node/interception.ts", "node:fs"],
  "mocks/server/page/page.ts": ["../../http/match.ts", "msw"],
  "mocks/server/app.ts": ["msw", "../domain/jobs.ts"],
  "mocks/connect/connect-mock.ts": ["../service/create-mock-service.ts", "zod/mini"],
  "mocks/check/check.ts": ["../service/fetch.ts", "../server/index.ts", "msw"],
  "mocks/index.ts": ["export ./msw/deliver.ts"],
  "mocks/route.ts": ["./http/match.ts"],
  "test/client/a.test.ts": ["adgen-sdk/mocks"],
  "test/mocks/a.test.ts": ["adgen-sdk"],
  // Another list of public names, written as one statement or as two.
  "src/client/http/encode.ts": [
    'export { AdGenError } from "../errors/errors.ts";',
    'import { AdGenError } from "../errors/errors.ts";\nexport { AdGenError };',
  ],
  "src/client/http/utils.ts": ["export const x = 1;"],
  "src/client/http/readBody.ts": ["export const x = 1;"],
  // Methods that are too new for the runtimes.
  "src/client/http/retry.ts": ["Promise.withResolvers();"],
  "mocks/service/answer.ts": ["Promise.withResolvers();", "const { withResolvers: w } = Promise;"],
};

const rowsOf = (texts: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(texts).flatMap(([file, each]) => each.map((text) => ({ file, text })));

test("every module has a planted breach", () => {
  const broken = new Set(Object.keys(refused).map(moduleOf));
  expect(moduleNames.filter((name) => !broken.has(name))).toEqual([]);
});

const long = { file: "src/client/errors/result.ts", text: "\n".repeat(301) };

test.each([...rowsOf(refused), long])("the check reports $text in $file", ({ file, text }) => {
  const breaches = breachesOf({ [file]: textOf(text) });
  expect(breaches).toHaveLength(1);
  expect(breaches[0]).toContain(file);
});

test("the check reports a test that imports the other half through another file", () => {
  const files = {
    "test/client/a.test.ts": 'import "../helpers/b.ts";',
    "test/helpers/b.ts": 'import "../../mocks/service/fetch.ts";',
  };
  const breach = "test/client/a.test.ts loads test/helpers/b.ts → mocks/service/fetch.ts";
  expect(breachesOf(files)).toEqual([breach]);
});

test("the check reports a schema taken into the domain", () => {
  const contract =
    "import * as z from 'zod/mini';\nexport const max = 10;\nexport const s = z.object({});";
  expect(
    breachesOf({
      "src/contract/jobs.ts": contract,
      "mocks/domain/jobs.ts": 'import { max, s, type J } from "../../src/contract/jobs.ts";',
    }),
  ).toEqual(["mocks/domain/jobs.ts takes s from src/contract/jobs.ts: types and constants only"]);
});

test("the check reports two files that export one name", () => {
  const files = {
    "src/client/http/answer.ts": "export const readAnswer = 1;",
    "mocks/http/read-answer.ts": "export interface readAnswer {}",
    "mocks/http/own.ts": "const readAnswer = 1;",
  };
  expect(breachesOf(files)).toEqual([
    "mocks/http/read-answer.ts exports readAnswer, as src/client/http/answer.ts does",
  ]);
});

test("the check reports folders in more than eight layers", () => {
  const places = Array.from({ length: 9 }, (_, place) => `src/layer${place}/a.ts`);
  const files = places.map((path, place) => [path, `import "../layer${place + 1}/a.ts";`]);
  expect(breachesOf(Object.fromEntries(files))).toContainEqual(
    expect.stringContaining("more than 8 layers: src/layer0 → src/layer1"),
  );
});

test("the check reports a circle of types through a third file once, and not the file before it", () => {
  const files = {
    "src/files/a.ts": 'import type { B } from "./b.ts";',
    "src/files/b.ts": 'export let c: import("./c.ts").C;',
    "src/files/c.ts": 'import type { A } from "./a.ts";',
    "src/files/before.ts": 'import "./a.ts";',
  };
  expect(breachesOf(files)).toEqual([
    "src/files/a.ts is in a circle of imports: src/files/b.ts → src/files/c.ts → src/files/a.ts",
  ]);
});

test("the check reports a circle of folders, even if no file is in one", () => {
  const files = {
    "src/client/polling/a.ts": 'import "../http/a.ts";',
    "src/client/http/b.ts": 'import "../polling/b.ts";',
  };
  const breaches = breachesOf(files);
  expect(breaches).toContainEqual(expect.stringContaining("a circle of folders"));
});

test("a call runs few files, so that a reader can follow it", async () => {
  const { lines, errors, code } = await runNode(
    new URL("client/children/files-that-run.ts", import.meta.url),
  );
  expect({ errors, code }).toEqual({ errors: "", code: 0 });
  const ran = new Map(lines.map((line) => JSON.parse(line) as [string, string[]]));
  const most = { submit: 18, once: 32, pollJob: 27 };
  expect([...ran.keys()]).toEqual(Object.keys(most));
  for (const [name, limit] of Object.entries(most)) {
    const files = ran.get(name) ?? [];
    expect(files).toContain("/src/client/http/transport.ts");
    expect(files.length, files.join("\n")).toBeLessThanOrEqual(limit);
  }
});
