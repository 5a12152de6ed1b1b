import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { readBlocks } from "../helpers/doc-blocks.ts";
import { guides } from "../helpers/documents.ts";
import { listen } from "../helpers/http-server.ts";
import { runCommand } from "../helpers/run-command.ts";
import { runNode } from "../helpers/run-node.ts";

const folder = resolve(".tmp/runners");
const results = new Map<string, { readonly status: string; readonly message: string }>();
let reachedOthers: readonly unknown[];

/** A runner of its own: what makes a test fail there must not fail this one. */
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const other = await listen((response) => response.end());
  const report = `${folder}/report.json`;
  const config = `--config=${import.meta.dirname}/children/vitest.config.ts`;
  const vitest = [process.execPath, resolve("node_modules/vitest/vitest.mjs"), "run", config];
  const output = ["--reporter=json", `--outputFile=${report}`];
  await runCommand(resolve("."), [...vitest, ...output], { OTHER_URL: other.url });
  const [suite] = JSON.parse(readFileSync(report, "utf8")).testResults;
  for (const { title, status, failureMessages } of suite.assertionResults) {
    results.set(title, { status, message: failureMessages.join("\n") });
  }
  reachedOthers = other.received;
});

/** Tests of the suite that fail, each with what it is told, and with what it is not told. */
const failing: Record<string, readonly [told: RegExp, ...others: RegExp[]]> = {
  "fails for a call that the API has not": [
    /refused them:\n {2}GET https:\/\/ads\.test\/v1\/nothing\nRequests to the service:/,
  ],
  "fails for a call to somebody else, without any fixture": [
    /refused them:\n {2}GET http:\/\/127\.0\.0\.1:\d+\/collect\nRequests to other hosts:/,
  ],
  "fails for its own call": [/GET https:\/\/ads\.test\/v1\/mine/],
  "fails while its job is unfinished": [/Test timed out in 100ms/],
  "fails for a reason of its own while its job is unfinished": [/expected 1 to be 2/],
  "fails for a fault that no request meets": [
    /A planned fault was not played as often as planned: fault_1 \{"kind"/,
  ],
  "fails after a request with a wrong key": [
    /expected 401 to be 200/,
    /no account has the key test-…\w{4} \(masked\), which a request had while this test ran/,
  ],
  "the second is refused": [/Two tests with the same API key run at the same time/],
};

describe("in a runner of its own", () => {
  test.each(Object.entries(failing))("a test %s, and is told why", (title, told) => {
    const { status, message = "" } = results.get(title) ?? {};
    expect(status).toBe("failed");
    for (const words of told) expect(message).toMatch(words);
    expect(message.replace(/test-…\w{4} \(masked\)/g, "")).not.toMatch(/secret|Bearer|test-/);
  });

  test("all others pass, and no call is sent", () => {
    const others = [...results].filter(([title]) => !(title in failing));
    const passed = { status: "passed", message: "" };
    expect(others).toEqual([
      ["passes beside it", passed],
      ["the first passes", passed],
    ]);
    expect(reachedOthers).toEqual([]);
  });
});

describe("under Node's own runner", () => {
  const fromSource = new URL("../helpers/from-source.ts", import.meta.url).href;
  const flags = ["--import", fromSource, "--test-reporter=tap"];

  test("setupMockServer fails the right test", async () => {
    const suite = new URL("./children/node-test-suite.ts", import.meta.url);
    const { code, lines } = await runNode(suite, [], flags);
    expect(lines.filter((line) => /^(not )?ok /.test(line))).toEqual([
      "ok 1 - passes, and calls the service",
      "not ok 2 - fails for a call that nothing handles",
      "ok 3 - passes after it",
    ]);
    expect(lines.join("\n")).toMatch("GET https://collect.test/events");
    expect(code).toBe(1);
  });

  test("the guide's suite passes", async () => {
    const block = guides.flatMap(readBlocks).find(({ info }) => info === "js node-test");
    writeFileSync(`${folder}/suite.mjs`, block?.code ?? "");
    const { lines } = await runNode(pathToFileURL(`${folder}/suite.mjs`), [], flags);
    expect(lines).toContain("ok 1 - a job costs a credit");
  });
});
