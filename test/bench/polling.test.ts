import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { waitCold } from "../../bench/polling/contenders.ts";
import { effortOf, fixedPollsFor } from "../../bench/polling/effort.ts";
import { exponential, lognormal, sharesOf, twoKinds, uniform } from "../../bench/polling/laws.ts";
import { optimumOf } from "../../bench/polling/optimum.ts";
import { backOff, fixed, simulate } from "../../bench/polling/schedules.ts";
import { installVirtualClock } from "../../bench/polling/virtual-clock.ts";

describe("the optimum for a known law", () => {
  test("is an even pace where a job may end at any time", () => {
    // An interval d gives 1 / (1 - exp(-d / mean)) polls; 1.923 s gives a delay of 1 s.
    expect(optimumOf(exponential(8_000))(1_000)).toBeCloseTo(4.68, 2);
  });

  test("needs the polls that are known for lognormal laws", () => {
    expect(optimumOf(lognormal(8_000, 0.6))(1_000)).toBeCloseTo(4.16, 2);
    expect(optimumOf(lognormal(8_000, 0.25))(1_000)).toBeCloseTo(2.04, 2);
  });

  test("polls once where all jobs end within the delay", () => {
    expect(optimumOf(uniform(19_600, 20_400))(1_000)).toBe(1);
  });

  test("polls between two kinds of jobs, and after both", () => {
    const law = twoKinds("", uniform(2_999, 3_001), uniform(39_999, 40_001), 0.5);
    expect(optimumOf(law)(200)).toBeCloseTo(1.5, 1);
  });
});

describe("a simulated wait", () => {
  test("ends with the first poll after the job", () => {
    expect(simulate(fixed(2_000), 5_000)).toMatchObject({
      polls: 3,
      delayMs: 1_000,
      unfinishedAtMs: 4_000,
    });
  });

  test("polls at once and then ever less by a back-off", () => {
    const schedule = backOff({ factor: 2, fromMs: 1_000, toMs: 4_000 }, () => 0.5);
    // At 0, 1, 3, 7, 11 s.
    expect(simulate(schedule, 8_000)).toMatchObject({ polls: 5, delayMs: 3_000 });
  });

  test("ends at the deadline", () => {
    expect(simulate(fixed(2_000), Number.POSITIVE_INFINITY, 9_000).polls).toBe(5);
  });
});

describe("the polls of a fixed interval for a mean delay", () => {
  test("are those that the interval needs", () => {
    const durations = sharesOf(lognormal(8_000, 0.6), 2_000);
    const { polls, delayMs } = effortOf(durations.map((ms) => simulate(fixed(2_000), ms)));
    expect(polls).toBeCloseTo(5.29, 1);
    expect(fixedPollsFor(durations, delayMs) / polls).toBeCloseTo(1, 1);
  });

  test("have no luck with jobs that all take the same time", () => {
    expect(fixedPollsFor([20_000], 1_000)).toBeCloseTo(10.5, 0);
  });
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
