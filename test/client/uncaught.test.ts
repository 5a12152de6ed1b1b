import { expect, test } from "vitest";
import { runNode } from "../helpers/run-node.ts";

const script = new URL("children/uncaught.ts", import.meta.url);

test.concurrent.each([
  ["createClient"],
  ["createPollTicket"],
  ["pollJob"],
  ["pollJobs"],
  ["watchJob"],
  ["watchJobs"],
])("an uncaught refusal of %s prints the caller's line first", async (entry) => {
  const { code, errors } = await runNode(script, [entry]);
  expect(code).toBe(1);
  const [place, line] = errors.split("\n");
  expect(place).toContain("uncaught.ts:");
  expect(line).toContain(`// ${entry} is here`);
  expect(errors).toContain(`${entry} has no option "interval"`);
});
