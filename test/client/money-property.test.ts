import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { isAdGenError } from "../../src/index.ts";
import { type Call, faultNames, listenCharging } from "../helpers/charging-service.ts";
import { clientOf, pause } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";

afterEach(() => void vi.unstubAllGlobals());

const fault = fc.record({
  name: fc.constantFrom(...faultNames),
  delayMs: fc.constantFrom(0, 0, 0, 10, 40),
});

const options = fc.record(
  {
    timeoutMs: fc.integer({ min: 5, max: 60 }),
    totalTimeoutMs: fc.integer({ min: 5, max: 150 }),
    maxRetries: fc.integer({ min: 0, max: 10 }),
    headers: fc.constant({ "idempotency-key": "1", prefer: "respond-async" }),
  },
  { requiredKeys: ["timeoutMs"] },
);

/** `undefined`: never; negative: before the call. */
const abortAtMs = fc.option(fc.integer({ min: -10, max: 60 }), { nil: undefined, freq: 2 });

const keyDelayMs = fc.constantFrom(undefined, 0, 20);

it.each(["the caller's fetch", "the default fetch"])(
  "never charges a submit call twice through %s, gives the charged job, and tells the truth",
  async (way) => {
    const service = await listenCharging();
    const calls: Call[] = [];

    const run = fc.asyncProperty(
      fc.array(fault, { maxLength: 4 }),
      options,
      abortAtMs,
      keyDelayMs,
      async (faults, callOptions, abortAt, keyDelay) => {
        const prompt = `call-${calls.length}`;
        vi.unstubAllGlobals();
        const { call, ownFetch, globalFetch } = service.script(prompt, faults);
        calls.push(call);
        const apiKey = async () => {
          if (keyDelay) await pause(keyDelay);
          return "test-key";
        };
        const client = clientOf(service, {
          ...(way === "the caller's fetch" && { fetch: ownFetch }),
          ...(keyDelay !== undefined && { apiKey }),
        });
        if (way === "the default fetch") vi.stubGlobal("fetch", globalFetch);
        const controller = new AbortController();
        const { signal } = controller;
        if (abortAt !== undefined && abortAt < 0) controller.abort();
        const timer = setTimeout(() => controller.abort(), Math.max(1, abortAt ?? 10_000));
        try {
          const job = await client.jobs.submit(
            { action: "generate-ad", prompt },
            { ...callOptions, signal },
          );
          expect(call.charged).toEqual([job.job_id]);
        } catch (error) {
          if (!isAdGenError(error)) throw error;
          expect(call.charged.length).toBeLessThanOrEqual(1);
          expect(error.outcome).toMatch(/^(not-sent|refused|unknown)$/);
          if (error.outcome !== "unknown") expect(call.charged).toEqual([]);
          if (error.outcome === "unknown")
            expect(error.message.endsWith(doubtOfSubmission)).toBe(true);
          if (call.doubtAfter !== undefined) expect(error.outcome).toBe("unknown");
        } finally {
          clearTimeout(timer);
        }
        expect(call.requests).toBeLessThanOrEqual(call.doubtAfter ?? Infinity);
      },
    );
    // Random on purpose; a failure prints the seed and the path that repeat it.
    await fc.assert(run, { numRuns: 400, interruptAfterTimeLimit: 25_000 });

    await pause(50); // nothing is sent later
    expect(calls.length).toBeGreaterThanOrEqual(300);
    expect(calls.filter(({ charged }) => charged.length > 1)).toEqual([]);
  },
);
