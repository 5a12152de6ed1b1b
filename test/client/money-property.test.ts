import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { type AdGenClient, type PostOptions, toResult } from "../../src/index.ts";
import {
  type Call,
  faults,
  listenCharging,
  mayRepeat,
  randomFaults,
} from "../helpers/charging-service.ts";
import { clientOf, paidJob, pause, testKey } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";

/** The writes that make something: what each made has one of these ids. */
const writes = {
  submit: ({ jobs }: AdGenClient, options: PostOptions) => jobs.submit(paidJob, options),
  createBrand: ({ brands }: AdGenClient, options: PostOptions) =>
    brands.create({ name: "Sun" }, options),
  createSavedAd: ({ savedAds }: AdGenClient, options: PostOptions) =>
    savedAds.create({ brand_id: "b-1" }, options),
};
type Write = keyof typeof writes;

/** Time in which each fault surely shows, where none of them is slow. */
const patientMs = 60_000;

/** Time of a call that is to meet a slow fault, also on a busy machine. */
const slowMs = 4_000;

/** One call, its faults, and all that its caller asks for. */
interface Scenario {
  readonly write: Write;
  readonly faults: readonly { readonly name: string; readonly delayMs: number }[];
  readonly hasOwnFetch: boolean;
  readonly options: PostOptions & { readonly timeoutMs: number };
  /** The options are the client's, and not the call's. */
  readonly isClientWide: boolean;
  /** `undefined`: never; negative: before the call. */
  readonly abortAtMs?: number | undefined;
  readonly keyDelayMs?: number | undefined;
}

/** Faults after which a write may be sent again: without them few calls were sent three times. */
const repeatable = ["ECONNREFUSED, marked", "a 429 that asks for a repetition at once"];

const scenario: fc.Arbitrary<Scenario> = fc.record({
  write: fc.constantFrom<Write[]>("submit", "submit", "createBrand", "createSavedAd"),
  faults: fc.array(
    fc.record({
      name: fc.constantFrom(...randomFaults, ...Array(4).fill(repeatable).flat()),
      delayMs: fc.constantFrom(0, 0, 0, 10, 40),
    }),
    { maxLength: 4 },
  ),
  hasOwnFetch: fc.boolean(),
  options: fc.record(
    {
      timeoutMs: fc.oneof(fc.integer({ min: 5, max: 60 }), fc.constant(patientMs)),
      totalTimeoutMs: fc.integer({ min: 5, max: 150 }),
      maxRetries: fc.integer({ min: 0, max: 10 }),
      headers: fc.constant({ "idempotency-key": "1", prefer: "respond-async" }),
    },
    { requiredKeys: ["timeoutMs"] },
  ),
  isClientWide: fc.boolean(),
  abortAtMs: fc.option(fc.integer({ min: -10, max: 60 }), { nil: undefined, freq: 2 }),
  keyDelayMs: fc.constantFrom(undefined, 0, 20),
});

/** Each fault once through each `fetch`, where the caller asks for the most repetitions. */
const everyFault = [...faults.values()].flatMap(({ name, isSlow }) =>
  [true, false].map(
    (hasOwnFetch): Scenario => ({
      write: hasOwnFetch ? "createBrand" : "submit",
      faults: [{ name, delayMs: 0 }],
      hasOwnFetch,
      options: { timeoutMs: isSlow ? slowMs : patientMs, maxRetries: 10 },
      isClientWide: false,
    }),
  ),
);

/** Makes the call, and compares its end with what the service has done. */
const play = async (url: string, call: Call, { options, write, ...given }: Scenario) => {
  const hasSlowFault = given.faults.some(({ name }) => faults.get(name)?.isSlow);
  const timeoutMs = hasSlowFault && options.timeoutMs === patientMs ? 50 : options.timeoutMs;
  const isHurried =
    timeoutMs < slowMs || options.totalTimeoutMs !== undefined || given.abortAtMs !== undefined;
  const { headers, ...times } = { ...options, timeoutMs };
  const { keyDelayMs, abortAtMs = patientMs } = given;
  const apiKey = async () => {
    if (keyDelayMs) await pause(keyDelayMs);
    return testKey;
  };
  const client = clientOf(
    { url },
    {
      headers: { ...headers, ...call.headers },
      ...(given.hasOwnFetch && { fetch: call.ownFetch }),
      ...(keyDelayMs !== undefined && { apiKey }),
      ...(given.isClientWide && times),
    },
  );
  const controller = new AbortController();
  if (abortAtMs < 0) controller.abort();
  const timer = setTimeout(() => controller.abort(), Math.max(1, abortAtMs));

  const result = await toResult<{ job_id?: string; id?: unknown }>(
    writes[write](client, { ...(!given.isClientWide && times), signal: controller.signal }),
  );

  clearTimeout(timer);
  const { charged, bodies } = call;
  expect(new Set(bodies).size).toBeLessThanOrEqual(1);
  expect(call.requests()).toBeLessThanOrEqual((options.maxRetries ?? 2) + 1);
  expect(call.requests()).toBeLessThanOrEqual(call.doubtAfter() ?? Infinity);
  if (result.ok) {
    expect(charged).toEqual([write === "submit" ? result.data.job_id : result.data.id]);
    return;
  }
  const { error } = result;
  expect(charged.length).toBeLessThanOrEqual(1);
  expect(error.outcome).toMatch(/^(not-sent|refused|unknown)$/);
  if (error.outcome !== "unknown") expect(charged).toEqual([]);
  if (error.outcome === "not-sent") expect(bodies).toEqual([]);
  if (call.doubtAfter() !== undefined) expect(error.outcome).toBe("unknown");
  const doubt = write === "submit" ? doubtOfSubmission : "; it may have been carried out";
  expect(error.message.endsWith(doubt)).toBe(error.outcome === "unknown");
  if (isHurried) return;
  const mayBeDone = charged.length > 0 || call.doubtAfter() !== undefined;
  const last = call.lastFault();
  expect(error, last.name).toMatchObject({
    ...last.error,
    outcome: mayBeDone ? "unknown" : bodies.length > 0 ? "refused" : "not-sent",
    attempts: call.requests(),
  });
  const mostRequests = (options.maxRetries ?? 2) + 1;
  // A connection that fails after a 429 ends the call, though nothing was carried out.
  const isRepeated = last.thrown === undefined || bodies.length === 0;
  if (isRepeated && mayRepeat(last, given.hasOwnFetch)) expect(call.requests()).toBe(mostRequests);
};

it("never makes a write twice, gives what was made, and tells the truth", async () => {
  const service = await listenCharging();
  const calls = new Map<string, Call>();
  vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
    calls.get(new Headers(init.headers).get("x-call") ?? "")?.globalFetch(url, init),
  );
  const random = vi.spyOn(Math, "random").mockReturnValue(0.05); // short waits before repetitions
  onTestFinished(() => {
    vi.unstubAllGlobals();
    random.mockRestore();
  });
  const playAll = async (scenarios: readonly Scenario[]) => {
    const played = scenarios.map((one) => {
      const name = `call-${calls.size}`;
      const call = service.script(name, one.faults);
      calls.set(name, call);
      return play(service.url, call, one);
    });
    await Promise.all(played);
  };
  const run = fc.asyncProperty(fc.array(scenario, { minLength: 16, maxLength: 16 }), playAll);
  // Random on purpose; a failure prints the seed and the path that repeat it.
  await Promise.all([fc.assert(run, { numRuns: 50 }), playAll(everyFault)]);

  await pause(50); // nothing is sent later
  expect([...calls.values()].filter(({ charged }) => charged.length > 1)).toEqual([]);
});
