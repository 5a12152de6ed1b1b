import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commands, entries, standIns } from "../tools/entries.ts";
import { findBreaches, ruleNameOf, ruleNames } from "../tools/house-rules.ts";
import { parseModules } from "../tools/module-graph.ts";

const breachesOf = (files: Record<string, string>) => findBreaches(parseModules(files));

test("this repository keeps the house rules", () => {
  const paths = globSync("{src,mocks,test}/**/*.ts").map((path) => path.replaceAll("\\", "/"));
  expect(paths).toContain("src/index.ts");
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

/** At least one breach of each rule for `src`. */
const breachesInSrc: readonly [name: string, file: string, text: string][] = [
  ["the contract importing the client", "src/contract/jobs.ts", "../errors/errors.ts"],
  ["the contract importing a package", "src/contract/jobs.ts", "ky"],
  ["errors that load the contract", "src/errors/errors.ts", "../contract/jobs.ts"],
  ["errors that know a call", "src/errors/errors.ts", "type ../transport/call.ts"],
  ["options that send", "src/options/rules.ts", "../transport/transport.ts"],
  ["options that load a schema's types", "src/options/rules.ts", "../answer/standard-schema.ts"],
  ["a second importer of ky", "src/options/rules.ts", "ky"],
  ["a request that knows its answer", "src/request/body.ts", "../answer/json.ts"],
  ["an answer that loads the transport", "src/answer/judge.ts", "../transport/call.ts"],
  ["an answer that loads options", "src/answer/judge.ts", "../options/rules.ts"],
  ["zod outside the contract", "src/answer/decode.ts", "zod/mini"],
  ["ky for its types in an answer", "src/answer/judge.ts", "type ky"],
  ["sending that judges", "src/transport/send-request.ts", "../answer/judge.ts"],
  ["ky loaded where its types would do", "src/transport/attempt.ts", "ky"],
  ["the transport knowing a resource", "src/transport/call.ts", "../resources/jobs.ts"],
  ["the transport knowing a wait", "src/transport/call.ts", "type ../polling/look.ts"],
  ["a resource loading the transport", "src/resources/jobs.ts", "../transport/call.ts"],
  [
    "a type that is imported by a value import",
    "src/resources/jobs.ts",
    'import { type Transport } from "../transport/call.ts";',
  ],
  ["a resource that judges", "src/resources/jobs.ts", "../answer/judge.ts"],
  ["polling loading the config", "src/polling/poll-job.ts", "../options/resolve-config.ts"],
  [
    "the schedule knowing the client",
    "src/polling/schedule/next-poll.ts",
    "../../resources/job-ref.ts",
  ],
  ["polling loading a resource", "src/polling/poll-job.ts", "../resources/jobs.ts"],
  ["polling knowing a resource", "src/polling/look.ts", "type ../resources/jobs.ts"],
  ["a batch that sends by itself", "src/batch/run-batch.ts", "../transport/transport.ts"],
  ["a batch loading a resource", "src/batch/requests.ts", "../resources/jobs.ts"],
  ["submissions in memory needing Node", "src/submissions/records.ts", "node:fs"],
  ["a submission that sends", "src/submissions/begin.ts", "../transport/transport.ts"],
  [
    "the store in a file reaching into the client",
    "src/submissions/file/lines.ts",
    "../../errors/errors.ts",
  ],
  ["a lock that knows its user", "src/lock/file-lock.ts", "../submissions/file/lines.ts"],
  ["the fleet loading the client", "src/bullmq/create-processor.ts", "../client.ts"],
  ["the fleet needing Node", "src/bullmq/holds.ts", "node:crypto"],
  ["a proxy that sends by itself", "src/proxy/create-proxy.ts", "../transport/call.ts"],
  ["a proxy needing Node", "src/proxy/redis-store.ts", "node:net"],
  ["ready schemas that know the client", "src/assumed/library.ts", "../errors/adgen-error.ts"],
  ["ready schemas with a zod", "src/assumed/results.ts", "zod/mini"],
  ["the client needing BullMQ", "src/hooks.ts", "bullmq"],
  ["the client knowing the mock", "src/client.ts", "adgen-sdk/mocks"],
  ["the client importing a type of the mock", "src/client.ts", "type ../mocks/index.ts"],
  ["the client needing Node", "src/result.ts", "node:util"],
  ["the client needing Node later", "src/result.ts", 'await import("node:util");'],
  ["the client's types needing msw", "src/result.ts", 'export let h: import("msw").HttpHandler;'],
];

/** At least one breach of each rule for `mocks`. */
const breachesInMocks: readonly [name: string, file: string, text: string][] = [
  ["a seed that knows jobs", "mocks/seeded/results.ts", "type ../domain/jobs.ts"],
  ["a seed with HTTP words", "mocks/seeded/ids.ts", "export const f = (r: Request) => r.url;"],
  ["the domain importing zod", "mocks/domain/jobs.ts", "zod/mini"],
  ["the domain importing its caller", "mocks/domain/jobs.ts", "../http/answer.ts"],
  ["the domain speaking HTTP", "mocks/domain/jobs.ts", "export const f = (r: Request) => r.url;"],
  ["the domain keeping a timer", "mocks/domain/jobs.ts", "setTimeout(() => {}, 1);"],
  ["options that know faults", "mocks/options/require.ts", "../faults/fault.ts"],
  ["faults that know the journal", "mocks/faults/fault.ts", "../journal/journal.ts"],
  ["faults that know HTTP", "mocks/faults/fault.ts", "../http/delivery.ts"],
  ["outcomes that know faults", "mocks/outcomes/outcome.ts", "../faults/fault.ts"],
  ["a journal that knows the world", "mocks/journal/journal.ts", "../world/world.ts"],
  ["a journal that knows outcomes", "mocks/journal/journal.ts", "type ../outcomes/outcome.ts"],
  ["a world that knows HTTP", "mocks/world/world.ts", "../http/reply.ts"],
  ["the front door knowing the service", "mocks/http/answer.ts", "type ../service/mock-service.ts"],
  ["the front door with a schema of its own", "mocks/http/answer.ts", "zod/mini"],
  ["the engine importing msw", "mocks/service/fetch.ts", "msw"],
  ["the engine needing Node", "mocks/service/fetch.ts", "node:fs"],
  ["the engine importing the client", "mocks/service/fetch.ts", "adgen-sdk"],
  ["the gates knowing the service", "mocks/network/gates.ts", "../service/fetch.ts"],
  ["the engine knowing a face", "mocks/service/fetch.ts", "../faces/msw/deliver.ts"],
  ["handlers importing the client", "mocks/faces/msw/handlers.ts", "../../../src/errors/errors.ts"],
  ["handlers knowing jobs", "mocks/faces/msw/handlers.ts", "../../domain/jobs.ts"],
  ["the face for Node serving HTTP", "mocks/faces/node/interception.ts", "../server/listener.ts"],
  [
    "the worker importing the face for Node",
    "mocks/faces/browser/setup-mock-worker.ts",
    "../node/interception.ts",
  ],
  [
    "what Node gets for the worker loading the engine",
    "mocks/browser-in-node.ts",
    "export ./service/create-mock-service.ts",
  ],
  ["the page steering by itself", "mocks/faces/server/page/page.ts", "type ../admin/routes.ts"],
  ["the page loading jobs", "mocks/faces/server/page/page.ts", "../../../domain/jobs.ts"],
  ["the admin loading jobs", "mocks/faces/server/admin/admin.ts", "../../../domain/jobs.ts"],
  [
    "the command reaching past the server",
    "mocks/faces/server/cli/run-cli.ts",
    "../../../service/fetch.ts",
  ],
  ["the state file knowing the server", "mocks/faces/server/state/state-file.ts", "../listener.ts"],
  ["the server importing msw", "mocks/faces/server/listener.ts", "msw"],
  ["the server loading jobs", "mocks/faces/server/listener.ts", "../../domain/jobs.ts"],
  ["the engine's entry taking a face", "mocks/index.ts", "export ./faces/msw/deliver.ts"],
  ["the entry for MSW taking the engine", "mocks/msw.ts", "export ./domain/jobs.ts"],
  ["the entry for Node taking the server", "mocks/node.ts", "export ./faces/server/deliver.ts"],
  ["the entry for browsers taking Node", "mocks/browser.ts", "export node:fs"],
  ["the entry for the server taking MSW", "mocks/server.ts", "export msw"],
  [
    "the remote face taking the engine along",
    "mocks/faces/remote/connect-mock.ts",
    "../../service/create-mock-service.ts",
  ],
  [
    "the fixtures for Playwright taking the server along",
    "mocks/faces/playwright/mock-fixtures.ts",
    "../server/start-mock-server.ts",
  ],
  [
    "the first contact taking the engine along",
    "mocks/conformance/record/recorder.ts",
    "../../service/create-mock-service.ts",
  ],
  ["the entry for Playwright needing Node", "mocks/playwright.ts", "export node:fs"],
  ["the remote entry taking the engine", "mocks/connect.ts", "export ./service/fetch.ts"],
  ["the command taking the service", "mocks/cli.ts", "./service/fetch.ts"],
  ["a loose file that does more than to list", "mocks/route.ts", "./http/match.ts"],
];

const planted = [...breachesInSrc, ...breachesInMocks];

test("a breach is planted for each rule of the product", () => {
  const broken = new Set(planted.map(([, file]) => ruleNameOf(file)));
  const ofProduct = ruleNames.filter((name) => /^(src|mocks)/.test(name));
  expect(ofProduct.filter((name) => !broken.has(name))).toEqual([]);
});

test("each room has a rule of its own", () => {
  const rooms = globSync(["src/*/", "mocks/*/", "mocks/faces/*/", "mocks/faces/server/*/"])
    .map((path) => path.replaceAll("\\", "/").replace(/\/$/, ""))
    .filter((path) => path !== "mocks/faces");
  expect(rooms).toContain("src/answer");
  expect(rooms).toContain("mocks/faces/server/page");
  expect(rooms.filter((room) => !ruleNames.includes(room))).toEqual([]);
});

test("only entries lie loose in mocks", () => {
  const loose = globSync("mocks/*.*").map((path) => path.replaceAll("\\", "/"));
  const entryFiles: string[] = [entries, standIns, commands].flatMap(Object.values);
  expect(loose.filter((path) => !entryFiles.includes(path))).toEqual([]);
});

describe("reports a planted breach", () => {
  test.each<[name: string, file: string, text: string]>([
    ...planted,
    ["a client test using the mock", "test/client/a.test.ts", 'import "adgen-sdk/mocks";'],
    ["a mock test using the client", "test/mocks/a.test.ts", 'import "adgen-sdk";'],
    ["an export of everything", "src/index.ts", 'export * from "./errors/errors.ts";'],
    ["a second list of names", "src/client.ts", 'export { AdGenError } from "./errors/errors.ts";'],
    [
      "a name passed on in two steps",
      "src/client.ts",
      'import { AdGenError } from "./errors/errors.ts";\nexport { AdGenError };',
    ],
    ["logic beside the public names", "src/index.ts", "export const version = 1;"],
    ["a file called utils", "src/utils.ts", "export const x = 1;"],
    ["a file in camelCase", "src/readBody.ts", "export const x = 1;"],
    ["a method too new in the client", "src/sleep.ts", "Promise.withResolvers();"],
    ["a method too new in the mock", "mocks/service/fetch.ts", "Promise.withResolvers();"],
    [
      "a method too new, taken apart",
      "mocks/domain/jobs.ts",
      "const { withResolvers: w } = Promise;",
    ],
    ["a long file", "src/result.ts", "\n".repeat(301)],
  ])("%s", (_name, file, text) => {
    const breaches = breachesOf({ [file]: textOf(text) });
    expect(breaches).toHaveLength(1);
    expect(breaches[0]).toContain(file);
  });

  test("an import through another file", () => {
    expect(
      breachesOf({
        "src/options/rules.ts": 'import "../sleep.ts";',
        "src/sleep.ts": 'import "./hooks.ts";',
        "src/hooks.ts": 'import "./transport/call.ts";',
      }),
    ).toEqual([
      "src/options/rules.ts loads src/transport/call.ts through src/sleep.ts → src/hooks.ts",
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

describe("allows", () => {
  test.each<[name: string, file: string, text: string]>([
    [
      "the types of the transport in a resource",
      "src/resources/jobs.ts",
      'import type { Transport } from "../transport/call.ts";',
    ],
    [
      "the name of a job in polling",
      "src/polling/poll-job.ts",
      'import { readJobRef } from "../resources/job-ref.ts";',
    ],
    [
      "a small file at the top of src",
      "src/polling/poll-job.ts",
      'import { sleep } from "../sleep.ts";',
    ],
    ["the wiring", "src/client.ts", 'import "./transport/call.ts";\nimport "./resources/jobs.ts";'],
    ["ky where requests are sent", "src/transport/send-request.ts", 'import ky from "ky";'],
    [
      "the contract's types in errors",
      "src/errors/make-error.ts",
      'import type { Method } from "../contract/endpoint.ts";',
    ],
    [
      "the types of options and of a call in an answer",
      "src/answer/judge.ts",
      'import type { A } from "../options/rules.ts";\nimport type { B } from "../transport/call.ts";',
    ],
    [
      "the contract's types in the domain",
      "mocks/domain/jobs.ts",
      'import type { Job } from "../../src/contract/jobs.ts";',
    ],
    [
      "the contract in a mock test",
      "test/mocks/a.test.ts",
      'import "../../src/contract/actions.ts";',
    ],
    ["msw in the handlers", "mocks/faces/msw/handlers.ts", 'import { http } from "msw";'],
  ])("%s", (_name, file, text) => {
    expect(breachesOf({ [file]: text })).toEqual([]);
  });
});
