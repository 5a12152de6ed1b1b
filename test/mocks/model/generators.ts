import fc from "fast-check";
import { type Action, actions } from "../../../src/contract/actions.ts";
import type { EndpointName } from "../../../src/contract/endpoint.ts";
import { tenants } from "./bench.ts";
import * as library from "./library-steps.ts";
import * as steps from "./steps.ts";
import type { Forced, ModelFault, ModelOutcome, Plan, Pots, Rules } from "./world.ts";
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
  prices: fc.constantFrom(
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
/*
 * Random choices favour both ends of a list: what is to be seldom stands in the middle.
 */

/** Mostly something that is there, asked for by its owner. */
const pick: fc.Arbitrary<steps.Place> = fc.record({
  owner: tenant,
  place: fc.constantFrom(0, 0, 0, 0, 0, -1, 3, 2, 1, 1, 1),
  as: fc.option(tenant, { nil: undefined, freq: 6 }),
});
const limit = fc.constantFrom(undefined, undefined, 1, 0, 10, 2, 1);
const times = fc.constantFrom(1, 1, 2, Number.POSITIVE_INFINITY);
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
const magic: fc.Arbitrary<Plan & { takes?: string }> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ fail: reason }) },
  { weight: 1, arbitrary: takes },
  { weight: 1, arbitrary: fc.record({ result }) },
  {
    weight: 1,
    arbitrary: fc.tuple(takes, reason).map(([time, fail]) => ({ fail, ...time })),
  },
);
const planned: fc.Arbitrary<Plan> = fc.oneof(
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
  variations: fc.constantFrom(undefined, undefined, 1, 10, 0, 11, 4, 3, 2, 2, 1),
  duration: fc.constantFrom(undefined, undefined, 1, 60, 0, 61, 4, 2.5, 2.5, 50),
  brand: fc.constantFrom(undefined, undefined, undefined, "other", "own", "own"),
  plan: magic,
});

const credit = fc.constantFrom("image" as const, "video" as const);
const stretch = fc.constantFrom(
  1,
  999,
  2_500,
  4_000,
  10 * minute,
  30 * minute,
  day,
  27 * day,
  28 * day,
  31 * day,
  95 * day,
  366 * day,
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

const operations: EndpointName[] = ["jobs.submit", "jobs.get", "jobs.list", "brands.create"];
const fault: fc.Arbitrary<ModelFault> = fc
  .tuple(
    fc.constantFrom<Pick<ModelFault, "kind" | "accepted" | "status">>(
      { kind: "reset", accepted: false, status: 0 },
      { kind: "reset", accepted: true, status: 0 },
      { kind: "status", accepted: false, status: 503 },
      { kind: "status", accepted: true, status: 500 },
      { kind: "rate-limit", accepted: false, status: 429 },
      { kind: "html", accepted: false, status: 502 },
      { kind: "wrong-json", accepted: true, status: 0 },
    ),
    fc.constantFrom(1, 1, 1, 2),
    fc.option(fc.constantFrom(...operations), { nil: undefined }),
    fc.option(fc.constantFrom(...tenants), { nil: undefined }),
  )
  .map(([kind, remaining, operation, account]) => ({
    ...kind,
    remaining,
    ...(operation !== undefined && { operation }),
    ...(account !== undefined && { account }),
  }));

const outcome: fc.Arbitrary<ModelOutcome> = fc
  .tuple(
    planned,
    times,
    fc.option(action, { nil: undefined, freq: 2 }),
    fc.option(fc.constantFrom(...tenants), { nil: undefined }),
  )
  .map(([plan, remaining, which, account]) => ({
    plan,
    remaining,
    ...(which !== undefined && { action: which }),
    ...(account !== undefined && { account }),
  }));

const weigh =
  (weight: number) =>
  <T>(arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({ weight, arbitrary });
const [often, usual, seldom, rare] = [weigh(40), weigh(10), weigh(5), weigh(2)];

const forced: fc.Arbitrary<Forced> = fc.oneof(
  fc.constant<Forced>({ status: "completed" }),
  result.map((made): Forced => ({ status: "completed", result: made })),
  reason.map((error): Forced => ({ status: "failed", error })),
  fc.constant<Forced>({ status: "expired" }),
);

const anyStep: fc.Arbitrary<steps.Step> = fc.oneof(
  often(submission.map(steps.submit)),
  often(pick.map(steps.getJob)),
  usual(fc.tuple(tenant, limit).map(([who, most]) => steps.listJobs(who, most))),
  usual(fc.tuple(tenant, fields).map(([who, what]) => library.createBrand(who, what))),
  seldom(fc.tuple(pick, fields).map(([what, to]) => library.updateBrand(what, to))),
  seldom(pick.map(library.deleteBrand)),
  rare(fc.tuple(tenant, limit).map(([who, most]) => library.listBrands(who, most))),
  usual(fc.tuple(pick, adFields).map(([brand, of]) => library.saveAd(brand, of))),
  rare(tenant.map((who) => library.saveAd(who, {}))),
  seldom(fc.tuple(pick, limit).map(([of, most]) => library.listAds(of, most))),
  seldom(pick.map(library.deleteAd)),
  rare(
    fc
      .tuple(
        tenant,
        fc.integer({ min: 4, max: 8 }),
        fc.array(fc.nat(7), { minLength: 1, maxLength: 6 }),
      )
      .map((given) => library.saveAndDelete(...given)),
  ),
  usual(fc.tuple(outcome, tenantOrNobody).map(([what, via]) => worlds.planNext(what, via))),
  usual(fc.tuple(pick, forced, fc.boolean()).map((given) => worlds.endJob(...given))),
  seldom(fc.tuple(tenant, credit, pots).map((given) => worlds.grant(...given))),
  seldom(fc.tuple(tenant, credit, pots).map((given) => worlds.setCredits(...given))),
  usual(
    fc
      .tuple(
        fc.oneof(tenant, fc.constantFrom("service" as const, "base" as const)),
        stretch,
        fc.boolean(),
      )
      .map((given) => worlds.passTime(...given)),
  ),
  usual(
    fc
      .tuple(pick, fc.constantFrom(-1, 0, 1), fc.boolean(), fc.boolean())
      .map((given) => worlds.passUntilExpiry(...given)),
  ),
  seldom(
    fc
      .tuple(tenant, fc.constantFrom(-20 * minute, -1, 0), fc.boolean(), fc.boolean())
      .map((given) => worlds.passUntilRenewal(...given)),
  ),
  seldom(tenant.map(worlds.reset)),
  rare(fc.constant("service" as const).map(worlds.reset)),
  rare(fc.tuple(tenant, credits).map((given) => worlds.removeAndAdd(...given))),
  rare(fc.constant(null).map(worlds.takeSnapshot)),
  rare(fc.constant(null).map(worlds.restore)),
  rare(fc.constantFrom("fork" as const, "original" as const).map(worlds.fork)),
  usual(fc.tuple(fault, tenantOrNobody).map((given) => worlds.play(...given))),
  seldom(fc.oneof(tenant, fc.constant("service" as const)).map(worlds.clearFaults)),
  seldom(
    fc
      .tuple(tenantOrNobody, fc.constantFrom("path" as const, "not-json" as const, "list" as const))
      .map((given) => worlds.refused(...given)),
  ),
);

/** Runs of up to so many steps. */
export const runsOf = (maxCommands: number) => fc.commands([anyStep], { maxCommands, size: "max" });
