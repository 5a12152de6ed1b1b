import { markAsNotSent, submitMany } from "adgen-sdk";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { failure, raw, reset } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import type { Answer } from "../helpers/http-server.ts";
import { adsOf, collect, numberedAds, startBatch, submitAll, unfinished } from "./batch-service.ts";

const oneByOne = { concurrency: 1 };

/** The end of a submission that fails. */
interface End {
  /** Absent where the caller's `fetch` could not send. */
  readonly answer?: Answer;
  readonly error: { readonly name?: string; readonly code: string; readonly reason?: string };
  readonly outcome: "refused" | "unknown" | "not-sent";
  /** Absent where the failure is about its own request. */
  readonly stops?: "at once" | "in a row";
}

/** The ends by the prompts of their submissions. */
const ends: Record<string, End> = {
  "bad request": { answer: failure(400), error: { code: "bad_request" }, outcome: "refused" },
  "not found": { answer: failure(404), error: { code: "not_found" }, outcome: "refused" },
  unauthorized: {
    answer: failure(401),
    error: { name: "UnauthorizedError", code: "unauthorized" },
    outcome: "refused",
    stops: "at once",
  },
  "no credits": {
    answer: failure(402, "sorry"),
    error: { name: "PaymentRequiredError", code: "payment_required" },
    outcome: "refused",
    stops: "at once",
  },
  lost: { answer: reset, error: { code: "connection" }, outcome: "unknown", stops: "in a row" },
  broken: {
    answer: failure(500),
    error: { code: "server_error" },
    outcome: "unknown",
    stops: "in a row",
  },
  unreadable: {
    answer: raw(202, "<html>"),
    error: { code: "decode", reason: "not-json" },
    outcome: "unknown",
    stops: "in a row",
  },
  limited: {
    answer: failure(429, "slow down", { "retry-after": "600" }),
    error: { code: "rate_limited" },
    outcome: "refused",
    stops: "in a row",
  },
  offline: { error: { code: "connection" }, outcome: "not-sent", stops: "in a row" },
};

/** Finds the submission after which nothing more may be sent, and the reason in words. */
const findStop = (prompts: readonly string[], stopAfterFailures = 3) => {
  let failures = 0;
  for (const [index, prompt] of prompts.entries()) {
    const name = `requests[${index}]`;
    const { stops } = ends[prompt] ?? {};
    if (stops === "at once") return { index, why: `${name} was refused` };
    failures = stops === "in a row" ? failures + 1 : 0;
    if (failures < stopAfterFailures) continue;
    return {
      index,
      why: failures === 1 ? `${name} failed` : `${failures} in a row, ${name} last, failed`,
    };
  }
  return { index: prompts.length, why: "" };
};

describe("a batch stops", () => {
  test("at a 401 or a 402, or after shared failures in a row, and for nothing else", async () => {
    const answers = Object.entries(ends).flatMap(([name, { answer }]) =>
      answer ? [[name, answer]] : [],
    );
    const { clientWith, posted, polls } = await startBatch({
      answers: Object.fromEntries(answers),
    });
    const send = async (request: Request): Promise<Response> => {
      const { prompt } = request.method === "POST" ? await request.clone().json() : {};
      if (prompt === "offline") throw markAsNotSent(new Error("offline"));
      return fetch(request);
    };
    const client = clientWith({ fetch: send, maxRetries: 0 });

    const check = async (prompts: string[], stopAfterFailures?: number) => {
      posted.length = 0;
      polls.length = 0;
      const options = { ...oneByOne, stopAfterFailures };
      const results = await submitAll(client, adsOf(...prompts), options);
      const stop = findStop(prompts, stopAfterFailures);
      const sent = prompts.slice(0, stop.index + 1);
      expect(posted).toEqual(sent.filter((prompt) => prompt !== "offline"));
      expect(polls).toEqual(sent.filter((prompt) => prompt === "good").map(() => "job-good"));
      const cause = results[stop.index]?.error;
      for (const [index, result] of results.entries()) {
        const { error, outcome } = ends[sent[index] ?? sent.at(-1) ?? ""] ?? {};
        if (index <= stop.index) {
          if (error) expect(result.error).toMatchObject({ ...error, outcome });
          else expect(result).toMatchObject({ ok: true, jobId: "job-good" });
          continue;
        }
        const message = `requests[${index}] was not sent, because ${stop.why} (${cause?.message})`;
        expect(result.error).toMatchObject({ ...error, outcome: "not-sent", message });
        expect(result.error?.cause).toBe(cause);
        expect(result.error).not.toHaveProperty("status");
        expect(result).not.toHaveProperty("jobId");
      }
    };
    const prompt = fc.constantFrom("good", "good", "lost", "broken", ...Object.keys(ends));
    const prompts = fc.array(prompt, { minLength: 1, maxLength: 9 });
    const stopAfter = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });
    await fc.assert(fc.asyncProperty(prompts, stopAfter, check), { numRuns: 60 });
    for (const last of Object.keys(ends)) await check(["good", last, last, last, last]);
  });

  test("and gives what was not sent at once, before the waits end", async () => {
    const { client, hasHeld, release } = await startBatch({
      answers: { "1": failure(402), "job-0": failure(410) },
      isHeld: (name) => name === "job-0",
    });
    const results = submitMany(client, numberedAds(3), oneByOne);
    expect((await results.next()).value).toMatchObject({ index: 1, ok: false });
    expect((await results.next()).value).toMatchObject({ index: 2, ok: false });
    await hasHeld("job-0");
    release();
    expect((await results.next()).value).toMatchObject({ index: 0, jobId: "job-0" });
  });

  test("sending, while submissions under way are still answered", async () => {
    const { client, posted, hasPosted, release } = await startBatch({
      answers: { "0": failure(402) },
      isHeld: (name) => !name.startsWith("job-"),
    });
    const all = submitAll(client, numberedAds(9), { concurrency: 2 });
    await hasPosted(2);
    release("0");
    await pause(20);
    release();
    const results = await all;
    expect(posted.toSorted()).toEqual(["0", "1"]);
    expect(results.filter(({ ok }) => ok)).toMatchObject([{ index: 1, jobId: "job-1" }]);
    expect(results).toHaveLength(9);
  });
});

describe("an abort", () => {
  test("ends submissions and waits, sends nothing more, and names every request", async () => {
    const { client, posted, hasHeld, polls } = await startBatch({
      isHeld: (name) => name === "1" || name === "job-0",
    });
    const controller = new AbortController();
    const { signal } = controller;
    const all = submitAll(client, numberedAds(4), { ...oneByOne, signal });
    await hasHeld("1");
    await hasHeld("job-0");
    const abortedAt = performance.now();
    controller.abort("enough");
    const results = await all;
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
    const { client, posted } = await startBatch();
    const results = await submitAll(client, adsOf("a", "b"), { signal: AbortSignal.abort("no") });
    const error = { code: "aborted", outcome: "not-sent", cause: "no" };
    expect(results).toMatchObject([{ error }, { error }]);
    expect(posted).toEqual([]);
  });

  test("finds no listener on its signal when all has ended", async () => {
    const { client } = await startBatch();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    await submitAll(client, adsOf("a", "b"), { signal });
    expect(added).toHaveBeenCalled();
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });
});

describe("leaving the loop of submitMany", () => {
  test("sends nothing more, and waits for the submission under way, whose id is told", async () => {
    const { client, posted, polls, hasHeld, release } = await startBatch({
      isHeld: (name) => name === "1",
    });
    const told: (readonly [string, number])[] = [];
    const submissions = submitMany(client, numberedAds(5), {
      ...oneByOne,
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
    await hasHeld("1");
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
    expect(polls).toEqual(["job-0"]);
  });

  test.each([
    ["fails afterwards", false, ["connection", "unknown", 1]],
    ["is cut short by the signal", true, ["aborted", "unknown", 1]],
  ])("tells of a submission under way that %s", async (_, isAborted, told) => {
    const { client, hasHeld, release } = await startBatch({
      answers: { b: reset },
      isHeld: (name) => name === "b",
    });
    const controller = new AbortController();
    const failed: unknown[] = [];
    const submissions = submitMany(client, adsOf("a", "b"), {
      signal: controller.signal,
      onSubmitFailed: ({ code, outcome }, index) => failed.push([code, outcome, index]),
    });
    await submissions.next();
    await hasHeld("b");
    const left = submissions.return();
    if (isAborted) controller.abort();
    else release();
    await left;
    expect(failed).toEqual([told]);
  });

  test("ends the waits at once", async () => {
    const { client, polls } = await startBatch({ answers: { "job-slow": unfinished } });
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

  test("by return() ends a next() that waits, and by throw() gives the error back", async () => {
    const { client, hasHeld } = await startBatch({ isHeld: (name) => name === "job-a" });
    const submissions = submitMany(client, adsOf("a"));
    const next = submissions.next();
    await hasHeld("job-a");
    await submissions.return();
    expect(await next).toEqual({ done: true, value: undefined });

    const thrown = submitMany(client, numberedAds(20), oneByOne);
    await thrown.next();
    const bug = new Error("a bug of the caller");
    await expect(thrown.throw(bug)).rejects.toBe(bug);
    expect(await thrown.next()).toEqual({ done: true, value: undefined });
    expect(await collect(thrown)).toEqual([]);
  });
});
