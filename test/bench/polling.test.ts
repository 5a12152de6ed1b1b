import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { waitCold } from "../../bench/polling/contenders.ts";
import { effortOf, fixedPollsFor } from "../../bench/polling/effort.ts";
import { lognormal, sharesOf } from "../../bench/polling/laws.ts";
import { backOff, fixed, simulate } from "../../bench/polling/schedules.ts";
import { installVirtualClock } from "../../bench/polling/virtual-clock.ts";

// The back-off polls at 0, 1, 3, 7, 11 s.
const growing = backOff({ factor: 2, fromMs: 1_000, toMs: 4_000 }, () => 0.5);
const never = simulate(fixed(2_000), Number.POSITIVE_INFINITY, 9_000);

test.each([
  [
    "the first poll after the job",
    simulate(fixed(2_000), 5_000),
    { polls: 3, delayMs: 1_000, unfinishedAtMs: 4_000 },
  ],
  ["a poll of a back-off", simulate(growing, 8_000), { polls: 5, delayMs: 3_000 }],
  ["the deadline", never, { polls: 5 }],
])("a simulated wait ends with %s", (_, wait, facts) => {
  expect(wait).toMatchObject(facts);
});

test("a fixed interval needs as many polls for a mean delay as it makes", () => {
  const durations = sharesOf(lognormal(8_000, 0.6), 2_000);
  const { polls, delayMs } = effortOf(durations.map((ms) => simulate(fixed(2_000), ms)));
  expect(polls).toBeCloseTo(5.29, 1);
  expect(fixedPollsFor(durations, delayMs) / polls).toBeCloseTo(1, 1);
  // It has no luck with jobs that all take the same time.
  expect(fixedPollsFor([20_000], 1_000)).toBeCloseTo(10.5, 0);
});

describe("the virtual clock", () => {
  const install = () => {
    const clock = installVirtualClock();
    onTestFinished(clock.uninstall);
    return clock;
  };
  const realTimeout = globalThis.setTimeout;
  afterAll(() => expect(globalThis.setTimeout).toBe(realTimeout));

  test("fires timers in the order of their time, and not those that were cleared", async () => {
    const clock = install();
    const fired: [string, number][] = [];
    const [startedAt, startedOn] = [performance.now(), Date.now()];
    await clock.run(
      () =>
        new Promise<void>((resolve) => {
          const note = (name: string) => fired.push([name, clock.now()]);
          setTimeout(note, 30_000, "c");
          setTimeout(note, 10, "a");
          clearTimeout(setTimeout(note, 15, "never"));
          setTimeout(() => setTimeout(note, 500, "b"), 20);
          setTimeout(resolve, 3_600_000);
        }),
    );
    expect(fired).toEqual([
      ["a", 10],
      ["b", 520],
      ["c", 30_000],
    ]);
    expect(performance.now() - startedAt).toBe(3_600_000);
    expect(Date.now() - startedOn).toBe(3_600_000);
  });

  test("tells of a task that waits for nothing", async () => {
    const clock = install();
    await expect(clock.run(() => new Promise(() => {}))).rejects.toThrow("no timer is set");
  });

  test("lets the client wait for jobs of minutes", async () => {
    const [wait] = await waitCold(install(), [120_000]);
    expect(wait?.durationMs).toBe(120_000);
    expect(wait?.polls).toBeGreaterThan(50);
    expect(wait?.delayMs).toBeLessThan(3_000);
  });
});
