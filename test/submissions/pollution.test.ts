import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runNode } from "../helpers/run-node.ts";
import { path, useFolders } from "./file-stores.ts";

useFolders();

const script = new URL("children/pollution.ts", import.meta.url);

// In a process of its own: a polluted prototype would reach the test runner too.
test("a polluted Object.prototype makes no id paid twice", async () => {
  writeFileSync(path, "");
  const { lines, errors } = await runNode(script, [path]);
  const { submitted, ...others } = JSON.parse(lines.join(""));
  // No process works where every descriptor of a property has a getter.
  expect({ ...others, errors }).toEqual({ twice: [], strange: ["get"], errors: "" });
  expect(submitted).toBeGreaterThan(800);
});
