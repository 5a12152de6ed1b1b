import fc from "fast-check";

/** Names of the people, which no other text holds. */
export const people = ["ann", "eve"] as const;

/** Ways in which the service meets a request. */
export const serviceFaults = [
  "none",
  "400",
  "402",
  "404",
  "429",
  "500 before",
  "500 after",
  "lost before",
  "lost after",
  "nobody there",
  "silence after",
  "HTML after",
  "redirect after",
  "late",
] as const;

/** Ways in which the store meets a step. */
export const storeFaults = ["none", "throws", "throws when done", "late", "slow", "odd"] as const;

/** One request of a page. */
export interface Step {
  readonly at: number;
  readonly owner: (typeof people)[number];
  readonly what: string;
  /** 0: without a call id. */
  readonly callId: number;
  /** Which of several bodies. */
  readonly body: number;
  /** Number in the id of the thing that it names. */
  readonly target: number;
  /** Process that gets it. */
  readonly process: 0 | 1;
  /** When its page goes away; absent: it waits. */
  readonly leavesAfter?: number | undefined;
  /** The browser loses the answer, and sends the request again by itself. */
  readonly repeat?: { readonly after: number; readonly process: 0 | 1 } | undefined;
}

/** Everything that happens on one day. */
export interface Day {
  readonly steps: readonly Step[];
  readonly service: readonly (typeof serviceFaults)[number][];
  readonly store: readonly (typeof storeFaults)[number][];
  /** When the first process dies; absent: it lives. */
  readonly deathAt?: number | undefined;
  /** When all sessions end; absent: they last. */
  readonly signedOutAt?: number | undefined;
}

const writes = ["submit", "submit", "submit", "brand", "ad"] as const;
const others = ["job", "jobs", "brands", "ads", "change", "delete brand", "delete ad"] as const;

const time = fc.oneof(fc.nat(40), fc.nat(3_000));

const repeat = fc.option(fc.record({ after: fc.nat(600), process: fc.constantFrom<0 | 1>(0, 1) }), {
  nil: undefined,
  freq: 3,
});

const signedOutAt = fc.option(fc.nat(2_000), { nil: undefined, freq: 3 });

const step: fc.Arbitrary<Step> = fc.record({
  at: time,
  owner: fc.constantFrom(...people),
  what: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...writes) }, fc.constantFrom(...others)),
  callId: fc.nat(2),
  body: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.constant(2)),
  target: fc.integer({ min: 1, max: 6 }),
  process: fc.constantFrom(0, 1),
  leavesAfter: fc.option(fc.nat(100), { nil: undefined, freq: 6 }),
  repeat,
});

/** Mostly well: a fault that comes each time hides all others. */
const mostlyNone = <Fault extends string>(faults: readonly Fault[], weight: number) =>
  fc.array(
    fc.oneof({ weight, arbitrary: fc.constant(faults[0] as Fault) }, fc.constantFrom(...faults)),
    { minLength: 1, maxLength: 12 },
  );

/** A random day: owners, repeats, faults of the service and of the store, the death of a process. */
const mixedDays: fc.Arbitrary<Day> = fc.record({
  steps: fc.array(step, { minLength: 2, maxLength: 14 }),
  service: mostlyNone(serviceFaults, 1),
  store: fc.oneof(fc.constant(["none" as const]), mostlyNone(storeFaults, 6)),
  deathAt: fc.option(time, { nil: undefined, freq: 3 }),
  signedOutAt,
});

/** A day of one call that may be made again, while the store is late. */
const stubbornDays: fc.Arbitrary<Day> = fc.record({
  steps: fc.array(
    fc.record({
      ...{ at: fc.nat(500), owner: fc.constant("ann" as const), what: fc.constant("submit") },
      ...{ callId: fc.constant(1), body: fc.constant(1), target: fc.constant(1) },
      process: fc.constantFrom<0 | 1>(0, 1),
    }),
    { minLength: 3, maxLength: 8 },
  ),
  service: mostlyNone(["none", "429", "nobody there"], 1),
  store: mostlyNone(["none", "late", "throws", "throws when done"], 6),
});

const thing = { owner: "ann", callId: 0, body: 1, target: 1, process: 1 } as const;

/** Things of Ann's: brand-1, ad-2 and job-3. */
const things: readonly Step[] = [
  { ...thing, at: 0, what: "brand" },
  { ...thing, at: 40, what: "ad" },
  { ...thing, at: 80, what: "submit" },
];

/** A day on which Ann's things are read, changed and deleted by both, and browsers repeat that. */
const familiarDays: fc.Arbitrary<Day> = fc.record({
  steps: fc
    .array(
      fc.record({
        ...{
          at: fc.integer({ min: 150, max: 2_000 }),
          owner: fc.constantFrom("ann", "ann", "eve"),
        },
        what: fc.constantFrom("change", "delete brand", ...others, "ad"),
        ...{ callId: fc.nat(3), body: fc.constant(1), target: fc.integer({ min: 1, max: 3 }) },
        ...{ process: fc.constantFrom<0 | 1>(0, 1), repeat },
      }),
      { minLength: 1, maxLength: 8 },
    )
    .map((steps) => [...things, ...steps]),
  // The first requests make the things.
  service: mostlyNone(serviceFaults, 2).map((faults) => ["none", "none", "none", ...faults]),
  store: fc.oneof(fc.constant(["none" as const]), mostlyNone(storeFaults, 12)),
  signedOutAt,
});

/** A day on which one person submits so much that the limits are reached. */
const costlyDays: fc.Arbitrary<Day> = fc.record({
  steps: fc.array(
    fc.record({
      ...{ at: time, owner: fc.constant("ann"), what: fc.constant("submit") },
      ...{ callId: fc.nat(8), body: fc.integer({ min: 1, max: 3 }), target: fc.constant(1) },
      ...{ process: fc.constantFrom<0 | 1>(0, 1), repeat },
    }),
    { minLength: 5, maxLength: 14 },
  ),
  service: mostlyNone(serviceFaults, 3),
  store: fc.oneof({ weight: 3, arbitrary: fc.constant(["none"]) }, mostlyNone(storeFaults, 12)),
});

export const days: fc.Arbitrary<Day> = fc.oneof(
  { weight: 3, arbitrary: mixedDays },
  { weight: 1, arbitrary: stubbornDays },
  { weight: 2, arbitrary: familiarDays },
  { weight: 1, arbitrary: costlyDays },
);
