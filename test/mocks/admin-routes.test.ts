import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { placeOf, type RouteId, routeIds } from "../../mocks/faces/remote/places.ts";
import { createManualClock } from "../../mocks/index.ts";
import { createAdministered, origin } from "./admin-ask.ts";
import { createAsk } from "./ask.ts";

/** An hour of mock life: jobs in every state, faults, a refused key, a brand and an ad. */
const createBusyMock = async () => {
  const administered = createAdministered({
    clock: createManualClock(),
    accounts: { "test-key": {}, "test-other": { credits: { image: { purchased: 7 } } } },
    refundFailedJobs: true,
    artwork: "served",
    timeline: { queuedMs: 1_000, processingMs: 1_000 },
  });
  const { ask, service } = administered;
  const submit = async (action: string) => (await ask("POST", "/v1/jobs", { action })).data.job_id;
  service.jobs.next({ fail: "moderation" });
  await submit("generate-ad");
  const picture = await submit("edit-ad");
  await submit("video-a-2");
  await submit("generate-ad-copy");
  service.clock.advance(5_000);
  const [toComplete, toFail, toExpire] = [
    await submit("copy-ad"),
    await submit("copy-ad"),
    await submit("copy-ad"),
  ];
  const { data: brand } = await ask("POST", "/v1/brands", { name: "Acme", colors: ["#123456"] });
  await ask("POST", "/v1/saved-ads", { brand_id: brand.id, headline: "Buy" });
  service.faults.play({ kind: "status", status: 503, body: { why: "maintenance" } });
  await ask("GET", "/v1/jobs");
  service.faults.play({ kind: "stall" }, { account: "test-other", probability: 0.5 });
  service.faults.play(
    { kind: "latency", ms: { min: 1, max: 2 } },
    { times: Number.POSITIVE_INFINITY, operation: ["jobs.get", "jobs.list"] },
  );
  await createAsk(service, "test-unknown")("GET", "/v1/nothing");
  const snapshot = service.snapshot();
  return { ...administered, known: { picture, toComplete, toFail, toExpire, snapshot } };
};

type Known = Awaited<ReturnType<typeof createBusyMock>>["known"];

/** At least one request of each route: its name, and what to send. */
const requests: readonly [
  id: RouteId,
  path: (known: Known) => string,
  body?: (known: Known) => unknown,
][] = [
  ["listAccounts", () => "/accounts"],
  ["openAccount", () => "/accounts", () => ({ key: "test-new", credits: { video: {} } })],
  ["showAccount", () => "/accounts/test-key"],
  ["showAccount", () => "/accounts/test-nobody"],
  ["grantCredits", () => "/accounts/test-key/credits", () => ({ credit: "image", monthly: 1 })],
  ["setCredits", () => "/accounts/test-key/credits", () => ({ credit: "video", purchased: 1 })],
  ["setCredits", () => "/accounts/test-key/credits", () => ({ credit: "video" })],
  ["readAccountClock", () => "/accounts/test-other/clock"],
  ["moveAccountClock", () => "/accounts/test-other/clock", () => ({ advanceMs: 5 })],
  ["resetAccount", () => "/accounts/test-other/reset", () => ({})],
  ["openAccount", () => "/accounts", () => ({ key: "test-new" })],
  ["removeAccount", () => "/accounts/test-new"],
  ["removeAccount", () => "/accounts/test-new"],
  ["readClock", () => "/clock"],
  ["listJobs", () => "/jobs?limit=20"],
  ["listJobs", () => "/jobs?status=failed&account=test-key"],
  ["listJobs", () => "/jobs?limit=many"],
  ["listJobs", () => "/jobs?action=copy-ad&text=JOB&each=2&status=queued,failed&results=false"],
  ["showJob", ({ picture }) => `/jobs/${picture}`],
  ["showJob", ({ toFail }) => `/jobs/${toFail}`],
  ["showJob", () => "/jobs/job_nobody"],
  ["planJobs", () => "/jobs/next", () => ({ result: null, takesMs: null, times: "Infinity" })],
  ["planJobs", () => "/jobs/next", () => ({ fail: "moderation", action: "copy-ad" })],
  ["listOutcomes", () => "/jobs/next"],
  ["listOutcomes", () => "/jobs/next?account=test-nobody"],
  ["assertOutcomes", () => "/jobs/next/assert", () => ({})],
  ["assertOutcomes", () => "/jobs/next/assert", () => ({ account: "test-other" })],
  ["removeOutcome", () => "/jobs/next/outcome_2"],
  ["removeOutcome", () => "/jobs/next/outcome_99"],
  ["clearOutcomes", () => "/jobs/next"],
  ["completeJob", ({ toComplete }) => `/jobs/${toComplete}/complete`, () => ({ result: [1] })],
  ["completeJob", ({ toComplete }) => `/jobs/${toComplete}/complete`],
  ["failJob", ({ toFail }) => `/jobs/${toFail}/fail`, () => ({ reason: "moderation" })],
  ["expireJob", ({ toExpire }) => `/jobs/${toExpire}/expire`],
  ["listFaults", () => "/faults"],
  [
    "playFault",
    () => "/faults",
    () => ({ fault: { kind: "drip-body" }, times: null, operation: "jobs.list" }),
  ],
  ["playFault", () => "/faults", () => ({ fault: { kind: "explode" } })],
  ["assertFaults", () => "/faults/assert", () => ({ account: "test-key" })],
  ["assertFaults", () => "/faults/assert"],
  ["removeFault", () => "/faults/fault_3"],
  ["clearFaults", () => "/faults"],
  ["listRequests", () => "/journal?limit=1000"],
  ["listRequests", () => "/journal?fault=status&status=503"],
  ["showRequest", () => "/journal/1"],
  ["showRequest", () => "/journal/first"],
  [
    "assertRequests",
    () => "/journal/assert",
    () => ({ count: 1, filter: { operation: ["brands.create"], body: { name: "Acme" } } }),
  ],
  ["assertRequests", () => "/journal/assert", () => ({ count: 0 })],
  [
    "findRequests",
    () => "/journal/find",
    () => ({ account: "test-key", filter: { body: { name: "Acme" } }, limit: 3 }),
  ],
  ["showOverview", () => "/state"],
  ["takeSnapshot", () => "/snapshot"],
  ["help", () => "/help"],
  ["showOpenApi", () => "/openapi.json"],
  ["showPicture", ({ picture }) => `/artwork/${picture}/1.svg?still`],
  ["showPicture", ({ picture }) => `/artwork/${picture}/9.svg`],
  ["clearJournal", () => "/journal"],
  ["restoreSnapshot", () => "/snapshot", () => ({ version: 7 })],
  ["restoreSnapshot", () => "/snapshot", ({ snapshot }) => snapshot],
  ["moveClock", () => "/clock", () => ({ time: "2026-01-01T01:00:00Z" })],
  ["setRealTime", () => "/clock/real", () => ({})],
  ["reset", () => "/reset"],
];

const refused = [400, 404, 409];

test("every route answers, by the schemas that the help gives", async () => {
  const { admin, order, known } = await createBusyMock();
  const { data } = await order("GET", "/help");
  const ajv = new Ajv2020({ strict: false });
  const shapes = new Map<string, object>(
    // biome-ignore lint/suspicious/noExplicitAny: the answer of the help
    data.routes.map(({ method, path, body }: any) => [`${method} ${path}`, body]),
  );
  const answered = new Set<RouteId>();
  for (const [id, path, body] of requests) {
    const { method, path: template } = placeOf(id);
    const sent = body?.(known);
    const response = await admin.fetch(
      new Request(`${origin}/__mock${path(known)}`, {
        method,
        ...(sent !== undefined && {
          body: JSON.stringify(sent),
          headers: { "content-type": "application/json" },
        }),
      }),
    );
    if (response.status !== 200) {
      expect(refused, id).toContain(response.status);
      const { success, error } = await response.json();
      expect([success, typeof error], id).toEqual([false, "string"]);
      continue;
    }
    answered.add(id);
    const shape = shapes.get(`${method} ${template}`);
    if (shape !== undefined) expect(ajv.validate(shape, sent ?? {}), ajv.errorsText()).toBe(true);
  }
  expect([...answered].sort()).toEqual([...routeIds].sort());
  expect([...shapes.keys()]).toHaveLength(routeIds.length);
});
