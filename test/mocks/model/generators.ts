import fc, { type AsyncCommand } from "fast-check";
import type { ForcedEnd } from "../../../mocks/domain/job-timeline.ts";
import type { JobOutcome, JournalFilter, MockFault } from "../../../mocks/index.ts";
import type { JournalSearch } from "../../../mocks/journal/search.ts";
import type { JobSearch } from "../../../mocks/outcomes/job-search.ts";
import { type Action, actions } from "../../../src/contract/actions.ts";
import type { EndpointName } from "../../../src/contract/endpoint.ts";
import { type Bench, tenants } from "./bench.ts";
import { requireWorld } from "./invariants.ts";
import * as library from "./library-steps.ts";
import * as reading from "./reading-steps.ts";
import * as steps from "./steps.ts";
import type { GivenPlan, Pots, Rules } from "./world.ts";
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
  journalLimit: fc.constantFrom(1_000, 8),
  videoPrices: fc.constantFrom(
    { "video-a-2": 1, "video-a-2-pro": 2, "video-b-3-0": 3 },
    { "video-a-2": 0, "video-a-2-pro": 0.28, "video-b-3-0": 1.25 },
  ),
  accounts: fc
    .tuple(accounts, accounts, accounts)
    .map((three) => Object.fromEntries(three.map((one, place) => [tenants[place], one]))),
});

const only = <const Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);

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
const result = fc.constantFrom<unknown>(null, { images: [] }, [[1], [2]], "]] not yet", {
  a: { b: "]]" },
});
const reason = fc.constantFrom("moderation", "out of paint", "Generation failed");
const end: fc.Arbitrary<JobOutcome> = fc.oneof(
  fc.record({ fail: reason }),
  fc.record({ result }),
  ...[0, 30 * minute, 30 * minute + 1, Number.POSITIVE_INFINITY].map((takesMs) =>
    fc.constant({ takesMs }),
  ),
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
      duration: fc.constantFrom(1, 25, 60, 0, 61, 4, 2.5, 2.5, 25),
    },
    { requiredKeys: [] },
  ),
  brand: fc.constantFrom(undefined, undefined, undefined, "other", "own", "own"),
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

const operation = fc.constantFrom<EndpointName>(
  ...(["jobs.submit", "jobs.get", "jobs.list", "brands.create"] as const),
);

/** A plan for some of the requests or submissions, or for any. */
const planFor = <What>(
  what: fc.Arbitrary<What>,
  times: fc.Arbitrary<number>,
  only: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<GivenPlan<What>> =>
  fc.record(
    { what, times, only, account: fc.constantFrom(...tenants) },
    { requiredKeys: ["what", "times"] },
  );

const fault = planFor<MockFault>(
  fc.constantFrom<MockFault>(
    { kind: "reset", accepted: false },
    { kind: "reset", accepted: true },
    { kind: "status", accepted: false, status: 503 },
    { kind: "status", accepted: true, status: 500 },
    { kind: "rate-limit" },
    { kind: "html" },
    { kind: "wrong-json" },
    { kind: "latency", ms: 0 },
    { kind: "latency", ms: { min: 0, max: 0 } },
  ),
  fc.constantFrom(1, 1, 1, 2, Number.POSITIVE_INFINITY),
  fc.uniqueArray(operation, { minLength: 1, maxLength: 2 }),
);

const planKind = fc.constantFrom("fault", "fault", "outcome" as const);
const outcome = planFor(end, fc.constantFrom(1, 1, 2, Number.POSITIVE_INFINITY), fc.tuple(action));

const some = <Fields extends object>(
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => fc.record(fields, { requiredKeys: [] });
const oneOrMore = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(value, fc.uniqueArray(value, { minLength: 1, maxLength: 4 }));
const key = fc.constantFrom(...tenants);
const operations = oneOrMore(operation);
const numbered = fc.integer({ min: 1, max: 40 });
const faultKind = fc.constantFrom<MockFault["kind"] | false>(false, "reset", "status", "latency");
const answered = fc.constantFrom("2xx" as const, "4xx" as const, "5xx" as const, "none" as const);

const filter = fc.oneof<fc.Arbitrary<JournalFilter>[]>(
  some({ number: numbered, operation: operations }),
  some({ account: fc.constantFrom(...tenants, "test-nobody"), status: only(200, 202, 402, 404) }),
  some({ fault: faultKind, method: only("get", "POST") }),
  some({ action, body: only({ variations: 2 }, { nested: { deep: [1, null] } }) }),
  some({ path: only("/v1/jobs", "/v1/nothing", "/v1/jobs?limit=1"), account: key }),
);
const page: fc.Arbitrary<JournalSearch> = fc
  .tuple(
    fc.oneof(some({ until: numbered }), some({ until: fc.integer({ min: 1, max: 9 }) })),
    fc.oneof(
      ...[only({}), some({ answered }), some({ account: key, operation: operations })],
      some({ fault: fc.oneof(faultKind, only(true)) }),
    ),
    fc.nat(9),
  )
  .map(([until, choice, limit]) => ({ ...until, ...choice, limit }));
const status = fc.constantFrom("queued" as const, "processing", "completed", "failed");
const search = fc.oneof<fc.Arbitrary<JobSearch>[]>(
  some({ status: oneOrMore(status), account: key, limit: fc.nat(5) }),
  some({ action: oneOrMore(action) }),
  some({
    text: only("", "JOB_", "edit-", "summer SALE", "Acme", "MODERATION"),
    results: only(false),
  }),
);

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
  usual(worlds.plan, only("outcome"), fc.tuple(outcome), tenantOrService),
  usual(
    worlds.plan,
    only("fault"),
    fc.array(fault, { minLength: 1, maxLength: 3 }),
    tenantOrService,
  ),
  seldom(worlds.takeBack, planKind, tenantOrService, fc.oneof(only("all"), fc.nat(6))),
  usual(worlds.endJob, place, forced),
  seldom(worlds.changeCredits, only("grant"), tenant, credit, pots),
  seldom(worlds.changeCredits, only("setCredits"), tenant, credit, pots),
  usual(worlds.passTime, fc.oneof(tenant, only("service", "base")), stretch),
  usual(worlds.passUntil, only("expiry"), place, only(-1, 0, 1), fc.boolean()),
  seldom(worlds.passUntil, only("renewal"), place, only(-20 * minute, -1, 0), fc.boolean()),
  seldom(worlds.reset, tenant),
  rare(worlds.reset, only("service")),
  rare(worlds.removeAndAdd, tenant, credits),
  usual(reading.readJournal, tenantOrService, filter, seldomTrue, only(0, 0, -1, 1)),
  usual(reading.searchJournal, tenantOrService, page),
  rare(reading.clearJournal, tenantOrService),
  usual(reading.searchJobs, search, fc.option(fc.nat(5), { nil: undefined })),
  rare(worlds.snapshot),
  rare(worlds.restore),
  rare(worlds.fork, only("fork", "original")),
  usual(worlds.refused, tenantOrNobody, only("path", "not-json", "path", "list", "path")),
);

/** Runs of up to so many steps. */
export const runsOf = (maxCommands: number) => fc.commands([anyStep], { maxCommands, size: "max" });
