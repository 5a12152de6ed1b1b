import fc, { type AsyncCommand } from "fast-check";
import type { ForcedEnd } from "../../../mocks/domain/job-timeline.ts";
import type { JobOutcome, MockFault } from "../../../mocks/index.ts";
import { type Action, actions } from "../../../src/contract/actions.ts";
import type { EndpointName } from "../../../src/contract/endpoint.ts";
import { type Bench, tenants } from "./bench.ts";
import { requireWorld } from "./invariants.ts";
import * as library from "./library-steps.ts";
import * as steps from "./steps.ts";
import type { ModelPlan, Pots, Rules } from "./world.ts";
import * as worlds from "./world-steps.ts";

const [second, minute, day] = [1_000, 60_000, 86_400_000];

const amount = fc.integer({ min: 0, max: 12 });
const pots: fc.Arbitrary<Partial<Pots>> = fc.record(
  { monthly: amount, purchased: amount },
  { requiredKeys: [] },
);

const credits = fc.record({ image: pots, video: pots }, { requiredKeys: [] });
const accounts = fc.record({ credits });

export const rules: fc.Arbitrary<Rules> = fc.record({
  start: fc.constantFrom(
    Date.UTC(2026, 0, 1),
    Date.UTC(2026, 0, 31, 12),
    Date.UTC(2028, 1, 29, 23, 59, 59, 999),
    Date.UTC(2027, 11, 30, 23, 45),
    Date.UTC(2027, 0, 29),
  ),
  isClockManual: fc.boolean(),
  timeline: fc.constantFrom<Rules["timeline"]>(
    "per-poll",
    "per-poll",
    { queuedMs: 2_500, processingMs: 4_000 },
    { queuedMs: 0, processingMs: 30 * minute },
    { queuedMs: 20 * minute, processingMs: 15 * minute },
  ),
  copyPerPoll: fc.boolean(),
  refundFailedJobs: fc.boolean(),
  expiry: fc.constantFrom("failed", "not-found", "all-not-found"),
  renewal: fc.constantFrom("monthly", "monthly", "never"),
  videoPrices: fc.constantFrom(
    { "video-a-2": 1, "video-a-2-pro": 2, "video-b-3-0": 3 },
    { "video-a-2": 0, "video-a-2-pro": 1.1, "video-b-3-0": 1.25 },
  ),
  accounts: fc
    .tuple(accounts, accounts, accounts)
    .map((three) => Object.fromEntries(three.map((one, place) => [tenants[place], one]))),
});

/** Mostly the first, so that something comes together. */
const tenant = fc.constantFrom(0, 0, 0, 1, 1, 2);
const tenantOrNobody = fc.option(tenant, { nil: undefined });
const tenantOrService = fc.oneof(tenant, fc.constant("service" as const));
/*
 * Random choices favour both ends of a list: what is to be seldom stands in the middle.
 */

/** Mostly something that is there, asked for by its owner. */
const place: fc.Arbitrary<steps.Place> = fc.record({
  owner: tenant,
  place: fc.constantFrom(0, 0, 0, 0, 0, -1, 3, 2, 1, 1, 1),
  as: fc.option(tenant, { nil: undefined, freq: 6 }),
});
const limit = fc.constantFrom(undefined, undefined, 1, 0, 10, 2, 1);
const action: fc.Arbitrary<Action> = fc.constantFrom(...actions);
const result = fc.constantFrom<unknown>(null, { images: [] }, [[1]], "text", { a: { b: "]]" } });
const reason = fc.constantFrom("moderation", "out of paint");
const takes = fc.constantFrom(
  { takes: "0ms", takesMs: 0 },
  { takes: "20s", takesMs: 20 * second },
  { takes: "2.5 m", takesMs: 150 * second },
  { takes: "30m", takesMs: 30 * minute },
  { takes: "31m", takesMs: 31 * minute },
);
const magic: fc.Arbitrary<JobOutcome & { takes?: string }> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ fail: reason }) },
  { weight: 1, arbitrary: takes },
  { weight: 1, arbitrary: fc.record({ result }) },
  {
    weight: 1,
    arbitrary: fc.tuple(takes, reason).map(([time, fail]) => ({ fail, ...time })),
  },
);
const end: fc.Arbitrary<JobOutcome> = fc.oneof(
  fc.record({ fail: reason }),
  fc.record({ result }),
  fc.constantFrom({ takesMs: 0 }, { takesMs: 30 * minute }, { takesMs: 30 * minute + 1 }),
  fc.constantFrom({ fail: "late", takesMs: 90 * second }, { result: 1, takesMs: 5 * second }),
);

const submission: fc.Arbitrary<steps.Submission> = fc.record({
  tenant,
  action: fc.oneof(
    { weight: 30, arbitrary: action },
    { weight: 1, arbitrary: fc.constantFrom("make-ad", "", "Generate-Ad") },
  ),
  numbers: fc.record(
    {
      variations: fc.constantFrom(1, 10, 0, 11, 4, 3, 2, 2, 1),
      duration: fc.constantFrom(1, 60, 0, 61, 4, 2.5, 2.5, 50),
    },
    { requiredKeys: [] },
  ),
  brand: fc.constantFrom(undefined, undefined, undefined, "other", "own", "own"),
  magic,
});

const seldomTrue = fc.constantFrom(false, false, true, false, false);
const credit = fc.constantFrom("image" as const, "video" as const);
const stretch = fc.constantFrom(
  ...[1, 999, 2_500, 4_000, 10 * minute, 30 * minute],
  ...[1, 27, 28, 31, 95, 366].map((days) => days * day),
);
const fields = fc.constantFrom<library.Fields>(
  { name: "Acme" },
  { name: "Nord", colors: ["#123456"], nested: { deep: [1, null] } },
  { colour: "red" },
  { name: 5 },
  { name: "" },
  { name: "Fjord" },
);
const adFields = fc.constantFrom<library.Fields>(
  {},
  { headline: "Now" },
  { url: "https://x.test" },
);

/** A plan for some of the requests or submissions, or for any. */
const planFor = <What>(
  what: fc.Arbitrary<What>,
  remaining: fc.Arbitrary<number>,
  only: fc.Arbitrary<string>,
): fc.Arbitrary<ModelPlan<What>> =>
  fc
    .tuple(fc.record({ what, remaining }), fc.option(only), fc.option(fc.constantFrom(...tenants)))
    .map(([plan, name, account]) => ({
      ...plan,
      ...(name !== null && { only: name }),
      ...(account !== null && { account }),
    }));

const fault = planFor<MockFault>(
  fc.constantFrom<MockFault>(
    { kind: "reset", accepted: false },
    { kind: "reset", accepted: true },
    { kind: "status", accepted: false, status: 503 },
    { kind: "status", accepted: true, status: 500 },
    { kind: "rate-limit" },
    { kind: "html" },
    { kind: "wrong-json" },
  ),
  fc.constantFrom(1, 1, 1, 2),
  fc.constantFrom<EndpointName>("jobs.submit", "jobs.get", "jobs.list", "brands.create"),
);

const outcome = planFor(end, fc.constantFrom(1, 1, 2, Number.POSITIVE_INFINITY), action);

const forced: fc.Arbitrary<ForcedEnd> = fc.oneof(
  fc.constant<ForcedEnd>({ status: "completed" }),
  result.map((made): ForcedEnd => ({ status: "completed", result: made })),
  reason.map((error): ForcedEnd => ({ status: "failed", error })),
  fc.constant<ForcedEnd>({ status: "expired" }),
);

/**
 * Steps of a function, and how often they come. After each, the service is as the model. Looking
 * makes the service catch up with its clock: where a step is unseen, the next one has to.
 */
const weigh =
  (weight: number) =>
  <Given extends unknown[]>(
    act: (bench: Bench, ...given: Given) => Promise<void> | void,
    ...given: { [Name in keyof Given]: fc.Arbitrary<Given[Name]> }
  ): fc.WeightedArbitrary<AsyncCommand<Bench, Bench>> => ({
    weight,
    arbitrary: fc.tuple(fc.tuple<Given>(...given), seldomTrue).map(([values, isUnseen]) => ({
      check: () => true,
      run: async (bench) => {
        await act(bench, ...values);
        if (!isUnseen) requireWorld(bench);
      },
      toString: () => `${act.name}(${JSON.stringify(values)})${isUnseen ? " unseen" : ""}`,
    })),
  });
const [often, usual, seldom, rare] = [weigh(40), weigh(10), weigh(5), weigh(2)];

const only = <const Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);

const anyStep = fc.oneof(
  often(steps.submit, submission),
  often(steps.getJob, place),
  usual(steps.listJobs, tenant, limit),
  usual(library.createBrand, tenant, fields),
  seldom(library.updateBrand, place, fields),
  rare(library.listBrands, tenant, limit),
  usual(library.saveAd, place, adFields),
  rare(library.saveAd, tenant, adFields),
  usual(library.listAds, place, limit),
  seldom(library.remove, only("brands", "ads"), fc.tuple(place)),
  rare(library.remove, only("ads"), fc.array(place, { minLength: 2, maxLength: 6 })),
  usual(worlds.planNext, outcome, tenantOrService),
  usual(worlds.play, fault, tenantOrService),
  seldom(worlds.clearPlans, only("faults", "faults", "outcomes"), tenantOrService),
  usual(worlds.endJob, place, forced),
  seldom(worlds.changeCredits, only("grant"), tenant, credit, pots),
  seldom(worlds.changeCredits, only("setCredits"), tenant, credit, pots),
  usual(worlds.passTime, fc.oneof(tenant, only("service", "base")), stretch),
  usual(worlds.passUntil, only("expiry"), place, only(-1, 0, 1), fc.boolean()),
  seldom(worlds.passUntil, only("renewal"), place, only(-20 * minute, -1, 0), fc.boolean()),
  seldom(worlds.reset, tenant),
  rare(worlds.reset, only("service")),
  rare(worlds.removeAndAdd, tenant, credits),
  rare(worlds.snapshot),
  rare(worlds.restore),
  rare(worlds.fork, only("fork", "original")),
  seldom(worlds.refused, tenantOrNobody, only("path", "not-json", "list")),
);

/** Runs of up to so many steps. */
export const runsOf = (maxCommands: number) => fc.commands([anyStep], { maxCommands, size: "max" });
