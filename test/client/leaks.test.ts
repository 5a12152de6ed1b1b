import { expect, it } from "vitest";
import { runNode } from "../helpers/run-node.ts";

it("leaves no listener, no timer and a flat heap after 10,000 calls on one signal", async () => {
  const script = new URL("children/leaks.ts", import.meta.url);

  const { code, lines, errors } = await runNode(script, [], ["--expose-gc"]);

  expect(errors).toBe("");
  expect(code).toBe(0);
  const left = JSON.parse(lines[0] ?? "");
  expect(left).toMatchObject({ listeners: 0, timers: 0 });
  expect(left.requests).toBeGreaterThan(11_000);
  // While they run, each call that is under way has one.
  expect(left.most).toBeGreaterThan(0);
  expect(left.most).toBeLessThanOrEqual(20);
  // 10,000 leaks of 200 bytes would be 2 MB.
  expect(left.grownBytes).toBeLessThan(2_000_000);
}, 60_000);
