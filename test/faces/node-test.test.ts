import { expect, test } from "vitest";
import { runNode } from "../helpers/run-node.ts";

test("setupMockServer fails the right test under Node's own runner", async () => {
  const suite = new URL("./children/node-test-suite.ts", import.meta.url);
  const fromSource = new URL("../helpers/from-source.ts", import.meta.url).href;
  const flags = ["--import", fromSource, "--test-reporter=tap"];
  const { code, lines } = await runNode(suite, [], flags);
  expect(lines.filter((line) => /^(not )?ok /.test(line))).toEqual([
    "ok 1 - passes, and calls the service",
    "not ok 2 - fails for a call that nothing handles",
    "ok 3 - passes after it",
  ]);
  expect(lines.join("\n")).toMatch("GET https://collect.test/events");
  expect(code).toBe(1);
}, 30_000);
