import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { isAdGenError } from "../../src/index.ts";
import { createMemoryStore, createSubmissions } from "../../src/submissions.ts";
import { type Call, listenCharging, randomFaults } from "../helpers/charging-service.ts";
import { clientOf, pause } from "../helpers/client.ts";

/** `ONCE_RUNS=2000` tries more. */
const runs = Number(process.env["ONCE_RUNS"] ?? 60);

/** One call with the id, by one of two processes. */
const step = fc.record({
  owner: fc.constantFrom(0 as const, 1 as const),
  timeoutMs: fc.integer({ min: 5, max: 60 }),
  /** `undefined`: never; negative: before the call. */
  abortAtMs: fc.option(fc.integer({ min: -10, max: 60 }), { nil: undefined, freq: 3 }),
  /** Does not wait for its end before the next step. */
  isBeside: fc.boolean(),
  /** The commands of the store that fail meanwhile, after they were done, or before. */
  storeFault: fc.constantFrom("none", "none", "none", "before", "after"),
});

const scenario = fc.record({
  faults: fc.array(
    fc.record({
      name: fc.constantFrom(...randomFaults),
      delayMs: fc.constantFrom(0, 0, 0, 10, 40),
    }),
    { maxLength: 4 },
  ),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

/** Lets what has left a client arrive: the service is in this process. */
const arrive = async (): Promise<void> => {
  for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate);
};

const seen = { jobs: 0, doubts: 0, decisions: 0, repeats: 0, store: 0 };

/** Plays the steps of one id, by two processes with one store. */
const play = async (url: string, id: string, call: Call, { steps }: Scenario): Promise<void> => {
  let handedOver = 0;
  const fetch = (request: Request) => {
    handedOver++;
    return call.ownFetch(request);
  };
  const store = createMemoryStore();
  const { swap } = store;
  let storeFault = "none";
  store.swap = async (...input) => {
    if (storeFault === "before") throw new Error("away");
    const there = await swap(...input);
    if (storeFault === "after") throw new Error("lost");
    return there;
  };
  const start = () => {
    const submissions = createSubmissions(store);
    const { headers } = call;
    return { submissions, client: clientOf({ url }, { fetch, submissions, headers }) };
  };
  const processes = [start(), start()] as const;
  const request = { action: "generate-ad", prompt: id } as const;
  const jobIds = new Set<string>();
  const beside = new Set<Promise<void>>();

  const submit = async (owner: 0 | 1, timeoutMs: number, abortAtMs?: number) => {
    const { client, submissions } = processes[owner];
    const controller = new AbortController();
    if (abortAtMs !== undefined && abortAtMs < 0) controller.abort();
    const timer = setTimeout(() => controller.abort(), Math.max(1, abortAtMs ?? 10_000));
    const options = { once: id, timeoutMs, signal: controller.signal };
    try {
      const { job_id: jobId } = await client.jobs.submit(request, options);
      expect(call.charged).toHaveLength(1);
      seen.jobs++;
      if (jobIds.has(jobId)) seen.repeats++;
      jobIds.add(jobId);
    } catch (error) {
      if (!isAdGenError(error)) throw error;
      expect(error.outcome).toMatch(/^(not-sent|refused|unknown)$/);
      if (error.outcome === "refused") expect(call.charged).toEqual([]);
      if (error.code === "store") seen.store++;
      if (error.code !== "in_doubt") return;
      seen.doubts++;
      // A person who knows the service. Nothing is decided while a request is on its way.
      // An abort may come between the call of `fetch` and the connection.
      if (handedOver === 0) throw new Error("in doubt, and nothing was ever sent");
      await arrive();
      if (beside.size > 0) return;
      const [adopt] = call.charged;
      const decision = adopt === undefined ? "resubmit" : ({ adopt } as const);
      const decided = await submissions.decide(error.doubt, decision).catch(() => "failed");
      if (decided === undefined) seen.decisions++;
    } finally {
      clearTimeout(timer);
    }
  };

  for (const { owner, timeoutMs, abortAtMs, isBeside, storeFault: next } of steps) {
    storeFault = next;
    const submitted = submit(owner, timeoutMs, abortAtMs);
    if (!isBeside) {
      await submitted;
      continue;
    }
    const tracked = submitted.finally(() => beside.delete(tracked));
    beside.add(tracked);
  }
  await Promise.all(beside);
  await arrive();
  storeFault = "none";
  for (const owner of [0, 1, 0] as const) await submit(owner, 200);

  expect(call.charged.length).toBeLessThanOrEqual(1);
  expect(jobIds.size).toBeLessThanOrEqual(1);
};

it(
  "never charges an id twice, whoever repeats it and whatever fails, and tells the truth",
  async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {}); // late writes are meant
    onTestFinished(() => print.mockRestore());
    const service = await listenCharging();
    const calls: Call[] = [];
    const run = fc.asyncProperty(
      fc.array(scenario, { minLength: 10, maxLength: 10 }),
      async (scenarios) => {
        await Promise.all(
          scenarios.map((one) => {
            const id = `call-${calls.length}`;
            const call = service.script(id, one.faults);
            calls.push(call);
            return play(service.url, id, call, one);
          }),
        );
      },
    );
    // Random on purpose; a failure prints the seed and the path that repeat it.
    await fc.assert(run, { numRuns: Math.ceil(runs / 10) });

    await pause(50); // nothing is sent later
    expect(calls.filter(({ charged }) => charged.length > 1)).toEqual([]);
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
  },
  180_000 + runs * 1_000,
);
