import { describe, expect, test } from "vitest";
import { InvalidRequestError } from "../../../src/errors/errors.ts";
import { createLearnedDurations } from "../../../src/polling/schedule/durations.ts";
import { nextLookAt } from "../../../src/polling/schedule/plan.ts";
import { createWaits, draw, lognormal } from "./virtual-waits.ts";

const action = "generate-ad";

const restoring = (snapshot: unknown) => () => createLearnedDurations(snapshot as never);

test("JSON restores to the same plan", () => {
  const waits = createWaits(1_000);
  waits.learn(draw(lognormal(8_000, 0.6), 40, 1));
  const text = JSON.stringify(waits.durations);
  expect(text.length).toBeLessThan(4_000);
  const restored = createWaits(1_000, createLearnedDurations(JSON.parse(text)));
  for (let ms = 0; ms < 60_000; ms += 777) expect(restored.next(ms)).toBe(waits.next(ms));
  expect(JSON.stringify(restored.durations)).toBe(text);
});

test("weights of several snapshots may be added up", () => {
  const one = [[150, 40]] as const;
  const durations = createLearnedDurations({ version: 1, actions: { [action]: [...one, ...one] } });
  const { actions } = durations.toJSON();
  expect(actions[action]).toEqual([[150, 60]]);
});

describe("refuses", () => {
  test.each<[name: string, snapshot: unknown, message: RegExp]>([
    ["text", "{}", /^durations must be what JSON\.stringify/],
    ["another version", { version: 2, actions: {} }, /^durations must be/],
    ["a list of actions", { version: 1, actions: [] }, /^durations must be/],
    [
      "bins that are no list",
      { version: 1, actions: { [action]: 5 } },
      /actions\["generate-ad"\] must/,
    ],
    ...[
      [-1, 1],
      [300, 1],
      [1.5, 1],
      ["length", 1],
      [1, -1],
      [1, Number.NaN],
      [1, 1e9],
      5,
      null,
    ].map((entry): [string, unknown, RegExp] => [
      `the entry ${JSON.stringify(entry)}`,
      { version: 1, actions: { [action]: [[1, 1], entry] } },
      /^durations\.actions\["generate-ad"\]\[1\] must be \[bin, weight\]/,
    ]),
  ])("%s", (_, snapshot, message) => {
    expect(restoring(snapshot)).toThrow(message);
    expect(restoring(snapshot)).toThrow(InvalidRequestError);
  });

  test("a bad snapshot as a whole", () => {
    const waits = createWaits(1_000);
    waits.learn([5_000, 6_000, 7_000]);
    const before = JSON.stringify(waits.durations);
    const bad = { version: 1, actions: { a: [[1, 1]], b: [[1, -1]] } } as const;
    expect(() => waits.durations.restore(bad)).toThrow(/actions\["b"\]/);
    expect(JSON.stringify(waits.durations)).toBe(before);
  });
});

test("an action may have any name", () => {
  const durations = createLearnedDurations();
  for (const name of ["__proto__", "constructor", "x".repeat(10_000)]) {
    durations.add(name, { afterMs: 900, byMs: 1_000 });
  }
  const restored = createLearnedDurations(JSON.parse(JSON.stringify(durations)));
  const names = Object.keys(restored.toJSON().actions);
  expect(names).toContain("__proto__");
  expect(Math.max(...names.map(({ length }) => length))).toBe(100);
  expect(({} as Record<string, unknown>)["100"]).toBeUndefined();
});

test("the actions that were longest without a job are forgotten beyond 50", () => {
  const durations = createLearnedDurations();
  for (let index = 0; index < 120; index += 1) {
    durations.add(`action-${index}`, { afterMs: 900, byMs: 1_000 });
    durations.add("often", { afterMs: 900, byMs: 1_000 });
  }
  const names = Object.keys(durations.toJSON().actions);
  expect(names).toHaveLength(50);
  expect(names).toContain("often");
  expect(names).toContain("action-119");
  expect(names).not.toContain("action-0");
});

test("times that make no sense change nothing, or as little as they can", () => {
  const durations = createLearnedDurations();
  durations.add(action, { afterMs: Number.NaN, byMs: 5 });
  durations.add(action, { afterMs: 5, byMs: Number.NaN });
  expect(durations.toJSON().actions).toEqual({});
  durations.add(action, { afterMs: 9_000, byMs: 10 });
  durations.add(action, { afterMs: -5, byMs: 0 });
  durations.add(action, { afterMs: 1e12, byMs: Number.POSITIVE_INFINITY });
  expect(Number.isFinite(nextLookAt({ durations, action, waitedMs: 0 }))).toBe(true);
});
