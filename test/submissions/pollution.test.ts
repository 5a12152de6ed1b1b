import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { path, useFolders } from "./file-stores.ts";
import { bundleChild } from "./kill-process.ts";

useFolders();

const sources = new URL("../../src/submissions", import.meta.url).pathname;

// In a process of its own: a polluted prototype would reach the test runner too.
test("a polluted Object.prototype makes no id paid twice", async () => {
  const program = await bundleChild("submissions/children/pollution");
  const run = promisify(execFile)(process.execPath, [program, path, sources]);
  const { stdout, stderr } = await run;
  const { submitted, ...others } = JSON.parse(stdout);
  expect({ ...others, stderr }).toEqual({ twice: [], strange: [], stderr: "" });
  expect(submitted).toBeGreaterThan(500);
});
