import { expect, it } from "vitest";
import { runNode } from "../helpers/run-node.ts";

/** `npm run test:leaks` makes more. */
const calls = Number(process.env["LEAK_CALLS"] ?? 5_000);

it(`leaves no listener, no timer and a flat heap after ${calls} calls on one signal`, async () => {
  const script = new URL("children/leaks.ts", import.meta.url);

  const { code, lines, errors } = await runNode(script, [String(calls)], ["--expose-gc"]);

  expect(errors).toBe("");
  expect(code).toBe(0);
  const left = JSON.parse(lines[0] ?? "");
  expect(left).toMatchObject({ listeners: 0, timers: 0 });
  expect(left.requests).toBeGreaterThan(calls + 1_000);
  // While they run, each call that is under way has one.
  expect(left.most).toBeGreaterThan(0);
  expect(left.most).toBeLessThanOrEqual(20);
  // A leak would be larger, of any one call.
  expect(left.grownBytes).toBeLessThan(calls * 200);
});
