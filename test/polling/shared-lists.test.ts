import { expect, test } from "vitest";
import { useFakedTime } from "../helpers/faked-time.ts";
import { completeAll, createFakeService, passTime } from "./fake-service.ts";
import { type Step, silent } from "./scripted-client.ts";

useFakedTime();

test.each([20, 100])("%i waits share lists, and poll each job when it has ended", async (count) => {
  const fake = { endOf: (index: number) => 30_000 + (30_000 * index) / count };
  const { requests, lists } = await completeAll(count, fake);
  expect(lists()[1]).toBe(String(2 * count));
  // One by one it would be 19.
  expect(requests.length / count).toBeLessThan(10);
});

test.each<[list: string, shownAt: (nowMs: number) => number, answer?: Step]>([
  ["is 30 s old", (nowMs) => nowMs - 30_000],
  ["never changes", () => 0],
  ["fails", () => 0, 500],
  ["is silent", () => 0, silent],
])("a list that %s delays no wait by more than 10 s", async (_, shownAt, answer) => {
  for (const count of [20, 100]) {
    const endOf = (index: number) => 3_000 + (57_000 * index) / count;
    const service = createFakeService(count, {
      endOf,
      answerOf: ({ list }) => list && answer,
      listed: ({ job_id }) => {
        const hasEnded = shownAt(service.now()) >= endOf(Number(job_id.slice(4)));
        return { job_id, status: hasEnded ? "completed" : "processing" };
      },
    });
    const waits = service.pollEach(() => ({}));
    await passTime(80_000);
    const delays = waits.map(({ at }, index) => Number(at) - endOf(index));
    expect(Math.max(...delays)).toBeLessThanOrEqual(10_000);
  }
});
