import { submitMany } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { reset, success } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { accepted, adsOf, createHolds, numberedAds, startBatchService } from "./batch-service.ts";

describe("leaving the loop of submitMany", () => {
  test("sends nothing more, and waits for the submission under way, whose id is told", async () => {
    const { hold, release, isHeld } = createHolds();
    const { client, posted, charged, polls } = await startBatchService({
      post: (prompt) =>
        prompt === "1" ? { answer: hold("1", accepted("1")), isCharged: true } : undefined,
    });
    const told: (readonly [string, number])[] = [];
    const submissions = submitMany(client, numberedAds(5), {
      concurrency: 1,
      onSubmitted: ({ job_id }, index) => told.push([job_id, index]),
    });
    let isOver = false;
    const loop = (async () => {
      for await (const { index } of submissions) {
        expect(index).toBe(0);
        break;
      }
      isOver = true;
    })();
    await expect.poll(() => isHeld("1"), { interval: 2 }).toBe(true);
    await pause(30);
    expect(isOver).toBe(false);
    release();
    await loop;
    expect(told).toEqual([
      ["job-0", 0],
      ["job-1", 1],
    ]);
    expect([...submissions.submitted.keys()]).toEqual([0, 1]);
    await pause(20);
    expect(posted).toEqual(["0", "1"]);
    expect(charged).toEqual(["0", "1"]);
    expect(polls).toEqual(["job-0"]);
  });

  test("tells of a submission under way that fails afterwards", async () => {
    const { hold, release, isHeld } = createHolds();
    const { client } = await startBatchService({
      post: (prompt) =>
        prompt === "b" ? { answer: hold("b", reset), isCharged: true } : undefined,
    });
    const failed: unknown[] = [];
    const submissions = submitMany(client, adsOf("a", "b"), {
      onSubmitFailed: ({ outcome }, index) => failed.push([outcome, index]),
    });
    await submissions.next();
    await expect.poll(() => isHeld("b"), { interval: 2 }).toBe(true);
    const left = submissions.return();
    release();
    await left;
    expect(failed).toEqual([["unknown", 1]]);
  });

  test("ends the waits at once", async () => {
    const { client, polls } = await startBatchService({
      poll: (id) => (id === "job-slow" ? success({ status: "processing" }) : undefined),
    });
    const pace = { intervalMs: 5, maxIntervalMs: 5 };
    for await (const { jobId } of submitMany(client, adsOf("slow", "quick"), pace)) {
      expect(jobId).toBe("job-quick");
      break;
    }
    // A poll that was under way may still arrive.
    await pause(100);
    const { length } = polls;
    await pause(60);
    expect(polls).toHaveLength(length);
  });

  test("by return() ends a next() that waits", async () => {
    const { hold } = createHolds();
    const { client, polls } = await startBatchService({
      poll: (id) => hold(id, success({ status: "processing" })),
    });
    const submissions = submitMany(client, adsOf("a"));
    const next = submissions.next();
    await expect.poll(() => polls, { interval: 2 }).toEqual(["job-a"]);
    await submissions.return();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test("by throw() ends it too, and gives the error back", async () => {
    const { client } = await startBatchService();
    const submissions = submitMany(client, numberedAds(20), { concurrency: 1 });
    await submissions.next();
    const bug = new Error("a bug of the caller");
    await expect(submissions.throw(bug)).rejects.toBe(bug);
    expect(await submissions.next()).toEqual({ done: true, value: undefined });
  });

  test("can be cut short by the signal", async () => {
    const { hold, isHeld } = createHolds();
    const { client } = await startBatchService({
      post: (prompt) => ({ answer: hold(prompt, accepted(prompt)), isCharged: true }),
    });
    const controller = new AbortController();
    const failed: unknown[] = [];
    const submissions = submitMany(client, adsOf("a"), {
      signal: controller.signal,
      onSubmitFailed: ({ code, outcome }) => failed.push([code, outcome]),
    });
    void submissions.next();
    await expect.poll(() => isHeld("a"), { interval: 2 }).toBe(true);
    const left = submissions.return();
    controller.abort();
    await left;
    expect(failed).toEqual([["aborted", "unknown"]]);
  });
});
