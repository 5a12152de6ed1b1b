/** The client against the mock: the one place where they meet. */
import {
  type Action,
  type AdGenClient,
  actions,
  BadRequestError,
  type ClientHooks,
  createClient,
  type JobRequest,
  NotFoundError,
  PaymentRequiredError,
  pollJob,
  pollJobs,
  toResult,
  UnauthorizedError,
} from "adgen-sdk";
import { createManualClock, createMockService } from "adgen-sdk/mocks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endpoints } from "../src/contract/endpoint.ts";
import { faceNames, faces, type Reached } from "./helpers/faces.ts";

const baseUrl = "https://api.example.com/some/path";

const requests: Record<Action, JobRequest> = {
  "copy-ad": { action: "copy-ad", images: ["https://example.com/ad.png"] },
  "generate-ad": { action: "generate-ad", prompt: "Lemonade ☀️", variations: 4 },
  // A parameter that the document does not name.
  "edit-ad": {
    action: "edit-ad",
    images: ["https://example.com/ad.png"],
    resize: "9:16",
  } as JobRequest,
  "generate-ad-copy": { action: "generate-ad-copy", prompt: "Lemonade", variations: 2 },
  "image-a-2": { action: "image-a-2", prompt: "Lemonade" },
  "image-a-pro": { action: "image-a-pro", prompt: "Lemonade", variations: 10 },
  "video-a-2": { action: "video-a-2", prompt: "Lemonade", duration: 4 },
  "video-a-2-pro": { action: "video-a-2-pro", prompt: "Lemonade", duration: 4 },
  "video-b-3-0": { action: "video-b-3-0", prompt: "Lemonade", duration: 4 },
};

/** Credit, price, and what `result` holds how many of. */
const outcomes: Record<Action, [credit: "image" | "video" | null, price: number, made: object]> = {
  "copy-ad": ["image", 1, { images: { length: 1 } }],
  "generate-ad": ["image", 4, { images: { length: 4 } }],
  "edit-ad": ["image", 1, { images: { length: 1 } }],
  "generate-ad-copy": [null, 0, { copy: { length: 2 } }],
  "image-a-2": ["image", 1, { images: { length: 1 } }],
  "image-a-pro": ["image", 10, { images: { length: 10 } }],
  "video-a-2": ["video", 4, { videos: { length: 1 } }],
  "video-a-2-pro": ["video", 8, { videos: { length: 1 } }],
  "video-b-3-0": ["video", 12, { videos: { length: 1 } }],
};

describe.each(faceNames)("client and mock, through %s", (face) => {
  const service = createMockService({
    accounts: {
      "test-key": {},
      "other-key": {},
      "poor-key": { credits: { image: {}, video: {} } },
    },
  });
  let reached: Reached;
  let client: AdGenClient;
  const clientOf = (apiKey: string, hooks: ClientHooks = {}): AdGenClient => {
    const { close, ...options } = reached;
    return createClient({ ...options, apiKey, hooks });
  };

  beforeAll(async () => {
    reached = await faces[face](service, { baseUrl });
    client = clientOf("test-key");
  });
  beforeEach(() => service.reset());
  afterAll(() => reached.close());

  test.each(actions)("submits %s, waits for it and is charged for it once", async (action) => {
    const [credit, price, made] = outcomes[action];
    const statuses: string[] = [];
    const job = await client.jobs.submit(requests[action]);
    expect(job).toEqual({ job_id: expect.stringMatching(/^job_/), status: "queued" });
    const finished = await pollJob(client, job, {
      onUpdate: ({ status }) => statuses.push(status),
    });
    expect(statuses).toEqual(["processing", "completed"]);
    expect(finished).toMatchObject({ job_id: job.job_id, action, result: made });

    const { credits, ledger } = service.account("test-key");
    const charges = ledger.filter(({ reason }) => reason !== "grant");
    expect(charges).toMatchObject(credit ? [{ credit, monthly: -price, jobId: job.job_id }] : []);
    const left = { monthly: 100, purchased: 0 };
    expect(credits).toEqual({
      image: left,
      video: left,
      ...(credit && { [credit]: { monthly: 100 - price, purchased: 0 } }),
    });
  });

  test("knows a failed job for an answer", async () => {
    const job = await client.jobs.submit(requests["generate-ad"]);
    service.jobs.fail(job.job_id, "Refused");
    expect(await pollJob(client, job)).toMatchObject({ status: "failed", error: "Refused" });
  });

  test("waits for many jobs, and lists them newest first", async () => {
    const jobs = await Promise.all(actions.map((action) => client.jobs.submit(requests[action])));
    const results = await pollJobs(client, jobs);
    expect(results.map(({ data }) => data?.status)).toEqual(actions.map(() => "completed"));
    const { items, meta } = await client.jobs.list({ limit: 2 });
    expect([items.length, meta]).toEqual([2, {}]);
    const all = await client.jobs.list();
    expect(all.items.slice(0, 2)).toEqual(items);
    expect(all.items.map(({ job_id }) => job_id).sort()).toEqual(
      jobs.map(({ job_id }) => job_id).sort(),
    );
  });

  test("serves every documented endpoint", async () => {
    const asked: string[] = [];
    const client = clientOf("test-key", {
      onRequest: ({ method, path }) => asked.push(`${method} ${path.replace(/\w+_\w{14}/, ":id")}`),
    });
    const job = await client.jobs.submit(requests["generate-ad"]);
    expect(await client.jobs.get(job)).toMatchObject({ ...job, status: "processing" });
    expect((await client.jobs.list()).items).toMatchObject([{ ...job, status: "processing" }]);

    const brand = await client.brands.create({ name: "Acme", color: "#ffe14d" });
    expect(brand).toMatchObject({ id: expect.any(String), name: "Acme", color: "#ffe14d" });
    const changed = await client.brands.update(brand.id, { name: "Acme & Söhne" });
    expect(changed).toMatchObject({ id: brand.id, name: "Acme & Söhne", color: "#ffe14d" });
    expect((await client.brands.list()).items).toEqual([changed]);

    const ad = await client.savedAds.create({ brand_id: brand.id, headline: "Fresh" });
    expect(ad).toMatchObject({ brand_id: brand.id, headline: "Fresh" });
    expect((await client.brands.listAds(brand.id)).items).toEqual([ad]);
    expect(await client.savedAds.delete(ad.id)).toEqual({ id: ad.id, deleted: true });
    expect((await client.brands.listAds(brand.id)).items).toEqual([]);

    expect(await client.brands.delete(brand.id)).toEqual({ id: brand.id, deleted: true });
    expect((await client.brands.list()).items).toEqual([]);

    const documented = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(asked)).toEqual(new Set(documented));
  });

  test("gives a 400 that lists the supported actions", async () => {
    const { error } = await toResult(client.jobs.submit({ action: "nope" as "copy-ad" }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, code: "bad_request", outcome: "refused" });
    expect((error as BadRequestError).supportedActions).toEqual(actions);
  });

  test.each<[what: string, request: JobRequest]>([
    ["too many variations", { action: "generate-ad", variations: 11 }],
    ["half a variation", { action: "generate-ad", variations: 1.5 }],
    ["a prompt that is no text", { action: "generate-ad", prompt: 7 as never }],
  ])("gives a 400 for %s, and charges nothing", async (_, request) => {
    const { error } = await toResult(client.jobs.submit(request));
    expect(error).toMatchObject({ status: 400, code: "bad_request", outcome: "refused" });
    expect(error).not.toHaveProperty("supportedActions");
    expect(service.account("test-key").credits.image.monthly).toBe(100);
  });

  test("gives a 401 for an unknown key in every call", async () => {
    const stranger = clientOf("test-stranger");
    const calls = [
      stranger.jobs.submit(requests["generate-ad"]),
      stranger.jobs.get("job_1"),
      stranger.brands.list(),
      stranger.savedAds.delete("ad_1"),
    ];
    for (const { error } of await Promise.all(calls.map(toResult<unknown>))) {
      expect(error).toBeInstanceOf(UnauthorizedError);
      expect(error).toMatchObject({ status: 401, code: "unauthorized" });
      expect(JSON.stringify(error)).not.toContain("stranger");
    }
  });

  test("gives a 402 when the credits do not suffice; ad copy stays free", async () => {
    const poor = clientOf("poor-key");
    for (const action of ["generate-ad", "video-a-2"] as const) {
      const { error } = await toResult(poor.jobs.submit(requests[action]));
      expect(error).toBeInstanceOf(PaymentRequiredError);
      expect(error).toMatchObject({ status: 402, code: "payment_required", outcome: "refused" });
    }
    const copy = await poor.jobs.submitAndPoll(requests["generate-ad-copy"]);
    expect(copy.status).toBe("completed");
    expect(service.account("poor-key").ledger).toEqual([]);
  });

  test("gives a 404 for an unknown id, and for an id of another account", async () => {
    const brand = await client.brands.create({ name: "Acme" });
    const job = await client.jobs.submit(requests["generate-ad"]);
    const ad = await client.savedAds.create({ brand_id: brand.id });
    const other = clientOf("other-key");
    const calls = [
      client.jobs.get("job_nope"),
      client.brands.update("brand_nope", {}),
      client.brands.listAds("a/b?c"),
      client.savedAds.create({ brand_id: "brand_nope" }),
      other.jobs.get(job),
      other.brands.delete(brand.id),
      other.brands.listAds(brand.id),
      other.savedAds.delete(ad.id),
    ];
    for (const { error } of await Promise.all(calls.map(toResult<unknown>))) {
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({ status: 404, code: "not_found" });
    }
    expect((await client.brands.listAds(brand.id)).items).toEqual([ad]);
  });
});

describe("client and mock", () => {
  test("spend monthly credits first, then purchased ones, then refuse", async () => {
    const credits = { image: { monthly: 3, purchased: 2 } };
    const service = createMockService({ accounts: { "test-key": { credits } } });
    const client = createClient({ baseUrl, apiKey: "test-key", fetch: service.fetch });
    const submit = (variations: number) =>
      client.jobs.submit({ action: "generate-ad", variations });
    await submit(2);
    await submit(2);
    await expect(submit(2)).rejects.toThrow(PaymentRequiredError);
    await submit(1);
    const charges = service.account("test-key").ledger.filter(({ reason }) => reason === "charge");
    expect(charges.map(({ monthly, purchased }) => [monthly, purchased])).toEqual([
      [-2, 0],
      [-1, -1],
      [0, -1],
    ]);
    expect(service.account("test-key").credits.image).toEqual({ monthly: 0, purchased: 0 });
  });

  test.each([
    ["failed", { data: { status: "failed", error: "Job expired" } }],
    ["not-found", { error: { code: "not_found", lastJob: { status: "processing" } } }],
  ] as const)("end the wait for a job that expires: %s", async (expiry, ending) => {
    const clock = createManualClock();
    const timeline = { queuedMs: 0, processingMs: Number.POSITIVE_INFINITY };
    const service = createMockService({ clock, expiry, timeline });
    const client = createClient({ baseUrl, apiKey: "test-key", fetch: service.fetch });
    const wait = client.jobs.submitAndPoll(requests["generate-ad"], {
      intervalMs: 1,
      onUpdate: () => clock.advance(30 * 60_000),
    });
    expect(await toResult(wait)).toMatchObject(ending);
  });
});
