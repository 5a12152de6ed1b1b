import fc from "fast-check";

/** Names of the owners, which no other text contains. */
export const people = ["ann", "eve"] as const;

/** Ways in which the service meets a request. */
export const serviceFaults = [
  ...(["none", "400", "402", "404", "429", "500 before", "500 after", "lost before"] as const),
  ...(["lost after", "nobody there", "silence after", "HTML after", "redirect after"] as const),
  "late",
] as const;

/** Ways in which the store meets a step. */
export const storeFaults = ["none", "throws", "throws when done", "late", "slow"] as const;

/** Ways in which the limits of an owner are read. */
export const limitFaults = ["none", "throws", "slow", "late"] as const;

/** Everything that happens on one day. */
export interface Day {
  readonly steps: readonly Step[];
  readonly service: readonly (typeof serviceFaults)[number][];
  readonly store: readonly (typeof storeFaults)[number][];
  readonly limits: readonly (typeof limitFaults)[number][];
  /** Time at which the first process dies. Default: it lives. */
  readonly deathAt?: number | undefined;
  /** Time at which all sessions end. Default: they last. */
  readonly signedOutAt?: number | undefined;
}

const writes = ["submit", "submit", "submit", "brand", "ad"] as const;
const others = ["job", "jobs", "brands", "ads", "change", "delete brand", "delete ad"] as const;

const time = fc.oneof(fc.nat(40), fc.nat(3_000));
const process = fc.constantFrom<0 | 1>(0, 1);

const rarely = <T>(value: fc.Arbitrary<T>, freq: number): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq });

const mostly = <T>(value: T, weight: number, others: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(value) }, others);

/** One request of a page. */
const anyStep = {
  ...{ at: time, owner: fc.constantFrom(...people) },
  what: fc.oneof(...[writes, writes, writes, others].map((names) => fc.constantFrom(...names))),
  /** Number of the call id. 0 means that the request has no call id. */
  callId: fc.nat(2),
  /** Number of the body. */
  body: mostly<number>(1, 4, fc.constant(2)),
  /** Number in the id of the thing that the request names. */
  target: fc.integer({ min: 1, max: 6 }),
  /** Process that gets it. */
  process,
  /** Time after which its page goes away. Default: it waits. */
  leavesAfter: rarely(fc.nat(100), 6),
  /** The browser loses the answer, and sends the request again by itself. */
  repeat: rarely(fc.record({ after: fc.nat(600), process }), 3),
};

type Values<Arbitraries> = {
  readonly [Name in keyof Arbitraries]: Arbitraries[Name] extends fc.Arbitrary<infer T> ? T : never;
};

export type Step = Values<typeof anyStep>;

type Narrower = { readonly [Name in keyof Step]?: fc.Arbitrary<Step[Name]> };

/** Creates steps, some of whose fields are narrowed. */
const stepsOf = (narrower: Narrower, minLength: number, maxLength: number) => {
  const step: fc.Arbitrary<Step> = fc.record({ ...anyStep, ...narrower });
  return fc.array(step, { minLength, maxLength });
};

/** Creates faults that are rare, because a fault at each request would hide all others. */
const mostlyNone = <Fault extends string>(faults: readonly Fault[], weight: number) =>
  fc.array(mostly<Fault | "none">("none", weight, fc.constantFrom(...faults)), {
    ...{ minLength: 1, maxLength: 12 },
  });

const well = fc.constant(["none" as const]);
const limits = fc.oneof(well, mostlyNone(limitFaults, 2));
const signedOutAt = rarely(fc.nat(2_000), 3);

/** Days with several owners, repeats, faults of service and store, and the death of a process. */
const mixedDays: fc.Arbitrary<Day> = fc.record({
  steps: stepsOf({}, 2, 14),
  service: mostlyNone(serviceFaults, 1),
  store: fc.oneof(well, mostlyNone(storeFaults, 6)),
  ...{ limits, deathAt: rarely(time, 3), signedOutAt },
});

const one = fc.constant(1);
const annSubmits: Narrower = { owner: fc.constant("ann"), what: fc.constant("submit") };

/** Days on which one call is made again while the store is late. */
const stubbornDays: fc.Arbitrary<Day> = fc.record({
  steps: stepsOf({ ...annSubmits, at: fc.nat(500), callId: one, body: one }, 3, 8),
  service: mostlyNone(["429", "nobody there"], 1),
  store: mostlyNone(["late", "throws", "throws when done"], 6),
  limits,
});

const patient = { callId: 0, body: 1, target: 1, leavesAfter: undefined, repeat: undefined };
const thing: Omit<Step, "at" | "what"> = { ...patient, owner: "ann", process: 1 };

/** Steps that make Ann's brand-1, ad-2 and job-3. */
const things: readonly Step[] = [
  { ...thing, at: 0, what: "brand" },
  { ...thing, at: 40, what: "ad" },
  { ...thing, at: 80, what: "submit" },
];

const uses: Narrower = {
  ...{ at: fc.integer({ min: 150, max: 2_000 }), owner: fc.constantFrom("ann", "ann", "eve") },
  what: fc.constantFrom("change", "delete brand", ...others, "ad"),
  ...{ callId: fc.nat(3), body: fc.constant(1), target: fc.integer({ min: 1, max: 3 }) },
};

/** Days on which both owners read, change and delete Ann's things, and browsers repeat requests. */
const familiarDays: fc.Arbitrary<Day> = fc.record({
  steps: stepsOf(uses, 1, 8).map((steps) => [...things, ...steps]),
  // The first requests make the things.
  service: mostlyNone(serviceFaults, 2).map((faults) => ["none", "none", "none", ...faults]),
  store: fc.oneof(well, mostlyNone(storeFaults, 12)),
  ...{ limits, signedOutAt },
});

/** Days on which one owner reaches the limits. */
const costlyDays: fc.Arbitrary<Day> = fc.record({
  steps: stepsOf({ ...annSubmits, callId: fc.nat(8), body: fc.integer({ min: 1, max: 3 }) }, 5, 14),
  service: mostlyNone(serviceFaults, 3),
  store: fc.oneof(well, well, well, mostlyNone(storeFaults, 12)),
  limits,
});

export const days: fc.Arbitrary<Day> = fc.oneof(
  { weight: 3, arbitrary: mixedDays },
  { weight: 1, arbitrary: stubbornDays },
  { weight: 2, arbitrary: familiarDays },
  { weight: 1, arbitrary: costlyDays },
);
