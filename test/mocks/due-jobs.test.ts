import { expect, test } from "vitest";
import { createDueJobs } from "../../mocks/domain/due-jobs.ts";
import type { JobRecord } from "../../mocks/domain/job-timeline.ts";
import { randomOf } from "../../mocks/seeded/ids.ts";

test("a thousand jobs come out in the order of their times, however they went in", () => {
  const due = createDueJobs();
  const times = Array.from({ length: 1_000 }, (_, place) => Math.floor(randomOf(`${place}`) * 300));
  for (const time of times) due.add(time, { submittedAt: time } as JobRecord);
  const taken: number[] = [];
  for (let now = -1; now <= 300; now += 7) {
    expect(due.isDue(now)).toBe(times.some((time) => time <= now && !taken.includes(time)));
    for (let job = due.take(now); job; job = due.take(now)) taken.push(job.submittedAt);
    expect(taken.filter((time) => time > now)).toEqual([]);
  }
  expect(taken).toEqual([...times].sort((one, other) => one - other));
  expect([due.isDue(Number.MAX_VALUE), due.take(Number.MAX_VALUE)]).toEqual([false, undefined]);
});
