import { markAsNotSent, submitMany } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { failure, reset } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import type { Answer } from "../helpers/http-server.ts";
import {
  accepted,
  adsOf,
  collect,
  createHolds,
  numberedAds,
  startBatchService,
} from "./batch-service.ts";

/** Loses the answers to these submissions, which are charged. */
const losing = (lost: readonly string[], answer: Answer = reset) => ({
  post: (prompt: string) => (lost.includes(prompt) ? { answer, isCharged: true } : undefined),
});

const oneByOne = { concurrency: 1 };

describe("a batch stops", () => {
  test.each([
    [402, "payment_required", "PaymentRequiredError"],
    [401, "unauthorized", "UnauthorizedError"],
  ])("after the first %i, and still waits for what was sent", async (status, code, name) => {
    const { client, posted, polls } = await startBatchService({
      post: (prompt) =>
        prompt === "2" ? { answer: failure(status, "sorry"), isCharged: false } : undefined,
    });
    const results = await collect(submitMany(client, numberedAds(5), oneByOne));
    expect(posted).toEqual(["0", "1", "2"]);
    expect(polls.toSorted()).toEqual(["job-0", "job-1"]);
    const byIndex = results.sort((one, other) => one.index - other.index);
    expect(byIndex.map(({ ok }) => ok)).toEqual([true, true, false, false, false]);
    const refusal = byIndex[2]?.error;
    expect(refusal).toMatchObject({ name, code, status, outcome: "refused" });
    for (const index of [3, 4]) {
      const error = byIndex[index]?.error;
      expect(error).toMatchObject({
        name,
        code,
        outcome: "not-sent",
        message:
          `requests[${index}] was not sent, because requests[2] was refused ` +
          `(POST /v1/jobs answered ${status}: sorry)`,
      });
      expect(error?.cause).toBe(refusal);
      expect(error).not.toHaveProperty("status");
      expect(byIndex[index]).not.toHaveProperty("jobId");
    }
  });

  test("and gives what was not sent at once, before the waits end", async () => {
    const { hold, isHeld, release } = createHolds();
    const { client } = await startBatchService({
      post: (prompt) => (prompt === "1" ? { answer: failure(402), isCharged: false } : undefined),
      poll: (id) => hold(id, failure(410)),
    });
    const results = submitMany(client, numberedAds(3), oneByOne);
    expect((await results.next()).value).toMatchObject({ index: 1, ok: false });
    expect((await results.next()).value).toMatchObject({ index: 2, ok: false });
    await expect.poll(() => isHeld("job-0")).toBe(true);
    release();
    expect((await results.next()).value).toMatchObject({ index: 0, jobId: "job-0" });
  });

  test("sending, while submissions under way are still answered", async () => {
    const { hold, release } = createHolds();
    const { client, charged, hasPosted } = await startBatchService({
      post: (prompt) =>
        prompt === "0"
          ? { answer: hold("refusal", failure(402)), isCharged: false }
          : { answer: hold("jobs", accepted(prompt)), isCharged: true },
    });
    const all = collect(submitMany(client, numberedAds(9), { concurrency: 2 }));
    await hasPosted(2);
    release("refusal");
    await pause(20);
    release("jobs");
    const results = await all;
    expect(charged).toEqual(["1"]);
    expect(results.filter(({ ok }) => ok)).toMatchObject([{ index: 1, jobId: "job-1" }]);
    expect(results).toHaveLength(9);
  });

  test("after three unknown outcomes in a row, because each may be paid", async () => {
    const { client, charged } = await startBatchService(losing(["1", "2", "3"]));
    const results = await collect(submitMany(client, numberedAds(6), oneByOne));
    expect(charged).toEqual(["0", "1", "2", "3"]);
    const outcomes = results.map(({ index, error }) => [index, error?.outcome]).sort();
    expect(outcomes).toEqual([
      [0, undefined],
      [1, "unknown"],
      [2, "unknown"],
      [3, "unknown"],
      [4, "not-sent"],
      [5, "not-sent"],
    ]);
    const last = results.find(({ index }) => index === 5)?.error;
    expect(last).toMatchObject({ name: "ConnectionError", code: "connection" });
    expect(last?.message).toMatch(
      /^requests\[5\] was not sent, because 3 in a row, requests\[3\] last, failed \(POST .*\)$/,
    );
    expect(last?.cause).toMatchObject({ outcome: "unknown" });
  });

  test("after as many failures as stopAfterFailures says", async () => {
    const { client, posted } = await startBatchService(losing(["1"], failure(500)));
    const options = { ...oneByOne, stopAfterFailures: 1 };
    const results = await collect(submitMany(client, numberedAds(3), options));
    expect(posted).toEqual(["0", "1"]);
    const unsent = results.find(({ index }) => index === 2);
    expect(unsent?.error).toMatchObject({ code: "server_error", outcome: "not-sent" });
    expect(unsent?.error?.message).toContain("because requests[1] failed (POST /v1/jobs answered");
  });

  test("after a run of answers that cannot be read, with the reason in each error", async () => {
    const noJson: Answer = (response) => response.writeHead(202).end("<html>");
    const { client } = await startBatchService(losing(["0", "1", "2"], noJson));
    const results = await collect(submitMany(client, numberedAds(4), oneByOne));
    const unsent = results.find(({ index }) => index === 3)?.error;
    expect(unsent).toMatchObject({ code: "decode", reason: "not-json", issues: [] });
  });

  test("after a run of 429s that ask for longer than a call lasts", async () => {
    const later = failure(429, "slow down", { "retry-after": "600" });
    const { client, posted } = await startBatchService({
      post: () => ({ answer: later, isCharged: false }),
    });
    const results = await collect(submitMany(client, numberedAds(5), oneByOne));
    expect(posted).toHaveLength(3);
    expect(results.map(({ error }) => error?.outcome)).toEqual([
      ...["refused", "refused", "refused"],
      ...["not-sent", "not-sent"],
    ]);
  });

  test("after a run of connections that could not be made", async () => {
    const service = await startBatchService();
    const offline = async () => {
      throw markAsNotSent(new Error("offline"));
    };
    const client = service.clientWith({ fetch: offline, maxRetries: 0 });
    const results = await collect(submitMany(client, numberedAds(5), oneByOne));
    expect(results.map(({ error }) => error?.outcome)).toEqual(Array(5).fill("not-sent"));
    expect(results.filter(({ error }) => error?.message.includes("was not sent"))).toHaveLength(2);
  });
});

describe("a batch goes on", () => {
  test("after lost answers with a good one between them", async () => {
    const { client, charged } = await startBatchService(losing(["0", "1", "3", "4", "6"]));
    const results = await collect(submitMany(client, numberedAds(8), oneByOne));
    expect(charged).toHaveLength(8);
    expect(results.filter(({ ok }) => ok).map(({ jobId }) => jobId)).toEqual([
      "job-2",
      "job-5",
      "job-7",
    ]);
  });

  test("after refusals of single requests, which also end a row of failures", async () => {
    const bad = { answer: failure(400), isCharged: false };
    const lost = { answer: reset, isCharged: true };
    const script = [bad, bad, bad, bad, lost, lost, bad, lost, lost];
    const { client, posted } = await startBatchService({
      post: (prompt) => script[Number(prompt)],
    });
    await collect(submitMany(client, numberedAds(10), oneByOne));
    expect(posted).toHaveLength(10);
  });
});

describe("an abort", () => {
  test("ends submissions and waits, sends nothing more, and names every request", async () => {
    const { hold } = createHolds();
    const { client, posted, hasPosted, polls } = await startBatchService({
      post: (prompt) =>
        prompt === "1" ? { answer: hold("1", accepted("1")), isCharged: true } : undefined,
      poll: (id) => hold(id, failure(500)),
    });
    const controller = new AbortController();
    const { signal } = controller;
    const all = collect(submitMany(client, numberedAds(4), { ...oneByOne, signal }));
    await hasPosted(2);
    await expect.poll(() => polls, { interval: 2 }).toEqual(["job-0"]);
    const abortedAt = performance.now();
    controller.abort("enough");
    const results = (await all).sort((one, other) => one.index - other.index);
    expect(performance.now() - abortedAt).toBeLessThan(20_000);
    const aborted = { name: "AbortError", code: "aborted", cause: "enough" };
    expect(results).toMatchObject([
      { index: 0, jobId: "job-0", error: aborted },
      { index: 1, error: { ...aborted, outcome: "unknown" } },
      { index: 2, error: { ...aborted, outcome: "not-sent" } },
      { index: 3, error: { ...aborted, outcome: "not-sent" } },
    ]);
    expect(results[3]?.error?.message).toBe(
      "requests[3] was not sent, because the signal was aborted",
    );
    await pause(20);
    expect(posted).toHaveLength(2);
    expect(polls).toHaveLength(1);
  });

  test("before the first next() sends nothing at all", async () => {
    const { client, posted } = await startBatchService();
    const signal = AbortSignal.abort("enough");
    const results = await collect(submitMany(client, adsOf("a", "b"), { signal }));
    expect(results).toMatchObject([
      { index: 0, error: { code: "aborted", outcome: "not-sent", cause: "enough" } },
      { index: 1, error: { code: "aborted", outcome: "not-sent", cause: "enough" } },
    ]);
    expect(posted).toEqual([]);
  });

  test("leaves no listener on the signal when all has ended", async () => {
    const { client } = await startBatchService();
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    Object.assign(signal, {
      addEventListener: (...input: Parameters<typeof addEventListener>) => {
        listeners++;
        addEventListener.apply(signal, input);
      },
      removeEventListener: (...input: Parameters<typeof removeEventListener>) => {
        listeners--;
        removeEventListener.apply(signal, input);
      },
    });
    await collect(submitMany(client, adsOf("a", "b"), { signal }));
    expect(listeners).toBe(0);
  });
});
