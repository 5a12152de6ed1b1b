import { ConnectionError, type PollOptions, pollJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import {
  createScriptedClient,
  offline,
  type Poll,
  play,
  refused,
  seen,
  useFakedTime,
} from "./scripted-client.ts";

useFakedTime();

/** When the polls are made that a script calls for; its last one ends the wait. */
const pollsOf = async (script: readonly Poll[], options?: PollOptions) => {
  const { polls, settled } = await play([...script, seen("completed")], options);
  expect(settled.value).toEqual({ job_id: "job_1", status: "completed" });
  return polls;
};

const times = (count: number, poll: Poll): Poll[] => Array.from({ length: count }, () => poll);

describe("a wait in a forced pace", () => {
  test("polls at once, then after 1 s that grows to 10 s", async () => {
    expect(await pollsOf(times(8, seen("processing")))).toEqual([
      0, 1_000, 2_500, 4_750, 8_125, 13_188, 20_782, 30_782, 40_782,
    ]);
  });

  test("polls as often as its options say", async () => {
    expect(
      await pollsOf(times(4, seen("queued")), { intervalMs: 100, maxIntervalMs: 200 }),
    ).toEqual([0, 100, 250, 450, 650]);
  });

  test("keeps an interval that is longer than the usual maximum", async () => {
    expect(await pollsOf(times(2, seen("queued")), { intervalMs: 20_000 })).toEqual([
      0, 20_000, 40_000,
    ]);
  });

  test("reaches its maximum with an interval of zero too", async () => {
    const polls = await pollsOf(times(30, seen("queued")), { intervalMs: 0, maxIntervalMs: 500 });
    expect(polls[30]).toBeGreaterThan(5_000);
  });

  test("grows also while answers make no sense", async () => {
    const anotherJob: Poll = () =>
      Response.json({ success: true, data: { job_id: "x", status: "completed" }, error: null });
    expect(await pollsOf(times(4, anotherJob))).toEqual([0, 1_000, 2_500, 4_750, 8_125]);
  });

  test("grows also while the network is down", async () => {
    expect(await pollsOf(times(4, offline))).toEqual([0, 1_000, 2_500, 4_750, 8_125]);
  });
});

test.each<[PollOptions, readonly number[]]>([
  [{}, [0, 1_000, 2_500, 4_750, 8_125, 13_188, 20_782, 30_782]],
  [{ maxIntervalMs: 10 }, [0, 100, 200, 300]],
  [{ maxIntervalMs: 0 }, [0, 100, 200, 300]],
  [{ intervalMs: 0, maxIntervalMs: 0 }, [0, 0, 0, 0]],
  [{ maxIntervalMs: 2_000 }, [0, 1_000, 2_500, 4_500]],
  [{ intervalMs: 25_000 }, [0, 25_000, 50_000]],
  [{ intervalMs: 5 }, [0, 5, 13, 25]],
])("after failures a wait with %j polls at %j", async (options, expected) => {
  const script = times(expected.length - 1, offline);
  expect(await pollsOf(script, { intervalMs: undefined, ...options })).toEqual(expected);
});

test("a wait through a wrapper whose errors count no requests grows too", async () => {
  const { client, now } = createScriptedClient([seen("completed")]);
  const polls: number[] = [];
  const wrapper: typeof client.jobs = {
    ...client.jobs,
    get: (ref, options) => {
      polls.push(now());
      if (polls.length < 4) throw new ConnectionError("connection", "the wrapper is not ready");
      return client.jobs.get(ref, options);
    },
  };
  const finished = pollJob({ jobs: wrapper }, "job_1");
  await vi.runAllTimersAsync();
  expect(await finished).toMatchObject({ status: "completed" });
  expect(polls).toEqual([0, 1_000, 2_500, 4_750]);
});

describe("Retry-After", () => {
  test("beside an unfinished job sets the next wait", async () => {
    expect(
      await pollsOf([seen("queued", 3), seen("processing", 0), seen("processing", 45)]),
    ).toEqual([0, 3_000, 3_000, 48_000]);
  });

  test("is read as a date too, by the service's own clock", async () => {
    const poll: Poll = () =>
      Response.json(
        { success: true, data: { status: "queued" }, error: null },
        {
          headers: {
            date: "Fri, 01 Jan 2010 00:00:00 GMT",
            "retry-after": "Fri, 01 Jan 2010 00:00:07 GMT",
          },
        },
      );
    expect(await pollsOf([poll])).toEqual([0, 7_000]);
  });

  test("beyond a minute beside an unfinished job is not believed", async () => {
    expect(await pollsOf([seen("queued", 61), seen("queued", 86_400)])).toEqual([0, 1_000, 2_500]);
  });

  test.each([429, 500, 503])(
    "after a %i lengthens the wait, and never shortens it",
    async (status) => {
      expect(
        await pollsOf([refused(status, 0), refused(status, 30), refused(status, 300)]),
      ).toEqual([0, 1_000, 31_000, 331_000]);
    },
  );

  test("of an hour after a 503 does not put a wait to sleep until its deadline", async () => {
    expect(await pollsOf(times(3, refused(503, 3_600)))).toEqual([0, 60_000, 120_000, 180_000]);
  });

  test.each([
    [240_000, 60_000],
    [100_000, 25_000],
    [4_000, 1_000],
    [400, 400],
  ])(
    "after a 503 that leads past a deadline in %i ms gives way to %i ms",
    async (timeoutMs, ms) => {
      expect(await pollsOf([refused(503, 3_600)], { timeoutMs })).toEqual([0, ms]);
    },
  );

  test("of an hour after a 429 is slept out, to the last poll the deadline", async () => {
    expect(await pollsOf([refused(429, 3_600)])).toEqual([0, 31 * 60_000]);
    expect(await pollsOf([refused(429, 1_800)])).toEqual([0, 1_800_000]);
    expect(await pollsOf([refused(429, 3_600)], { timeoutMs: 4_000 })).toEqual([0, 4_000]);
  });

  test("holds for the answer it came with only", async () => {
    expect(await pollsOf([seen("queued", 20), offline, seen("queued")])).toEqual([
      0, 20_000, 21_500, 23_750,
    ]);
  });

  test("that makes no sense is ignored", async () => {
    expect(await pollsOf([seen("queued", "soon"), seen("queued", "-5")])).toEqual([
      0, 1_000, 2_500,
    ]);
  });
});
