import { expect, it } from "vitest";
import { runNode } from "../helpers/run-node.ts";

const script = new URL("children/files-that-run.ts", import.meta.url);

it("a request by MSW runs few files and functions, so that its way can be read", async () => {
  const { lines, errors, code } = await runNode(script);
  expect({ errors, code }).toEqual({ errors: "", code: 0 });
  const ran = lines.map((line) => JSON.parse(line) as [string, number]);
  expect(ran.map(([file]) => file)).toContain("/mocks/http/handle-request.ts");
  expect(ran.length, lines.join("\n")).toBeLessThanOrEqual(28);
  expect(ran.reduce((sum, [, functions]) => sum + functions, 0)).toBeLessThanOrEqual(55);
});
