import { expect, it } from "vitest";
import { runNode } from "../helpers/run-node.ts";

const script = new URL("children/files-that-run.ts", import.meta.url);

it("a call runs few files, so that its way can be read", async () => {
  const { lines, errors, code } = await runNode(script);
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
