// The client against the mock: the main place where they meet.
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
  pollJobs,
  toResult,
  UnauthorizedError,
} from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endpoints } from "../src/contract/endpoint.ts";
import { adapterNames, adapters, type Reached } from "./helpers/adapters.ts";

const image = "https://example.com/ad.png";

/** Requests with their credit, price and result. */
const outcomes: Record<
  Action,
  [request: object, credit: "image" | "video" | null, price: number, made: object]
> = {
  "copy-ad": [{ images: [image] }, "image", 1, { images: { length: 1 } }],
  "generate-ad": [{ prompt: "Lemonade ☀️", variations: 4 }, "image", 4, { images: { length: 4 } }],
  // A parameter that the document does not name.
  "edit-ad": [{ images: [image], resize: "9:16" }, "image", 1, { images: { length: 1 } }],
  "generate-ad-copy": [{ prompt: "Lemonade", variations: 2 }, null, 0, { copy: { length: 2 } }],
  "image-a-2": [{ prompt: "Lemonade" }, "image", 1, { images: { length: 1 } }],
  "image-a-pro": [{ prompt: "Lemonade", variations: 10 }, "image", 10, { images: { length: 10 } }],
  "video-a-2": [{ prompt: "Lemonade", duration: 4 }, "video", 4, { videos: { length: 1 } }],
  "video-a-2-pro": [{ prompt: "Lemonade", duration: 4 }, "video", 8, { videos: { length: 1 } }],
  "video-b-3-0": [{ prompt: "Lemonade", duration: 4 }, "video", 12, { videos: { length: 1 } }],
};
const requestOf = (action: Action) => ({ action, ...outcomes[action][0] }) as JobRequest;

describe.each(adapterNames)("client and mock, through %s", (name) => {
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
    reached = await adapters[name](service, { baseUrl: "https://api.example.com/some/path" });
    client = clientOf("test-key");
  });
  beforeEach(() => service.reset());
  afterAll(() => reached.close());

  test("a job of each action completes, and is charged once", async () => {
    const submit = (action: Action) => client.jobs.submit(requestOf(action));
    const jobs = await Promise.all(actions.map(submit));
    for (const job of jobs) {
      expect(job).toEqual({ job_id: expect.stringMatching(/^job_/), status: "queued" });
    }
    const finished = await pollJobs(client, jobs);
    for (const [index, action] of actions.entries()) {
      const [, credit, price, result] = outcomes[action];
      const job_id = jobs[index]?.job_id;
      const data = { job_id, action, status: "completed", result };
      expect(finished[index]).toMatchObject({ ok: true, data });
      const { ledger } = service.account("test-key");
      const charges = ledger.filter(({ jobId }) => jobId === job_id);
      const charge = { reason: "charge", credit, monthly: -price, purchased: 0 };
      expect(charges, action).toMatchObject(credit ? [charge] : []);
    }
    expect(service.account("test-key").credits).toEqual({
      image: { monthly: 83, purchased: 0 },
      video: { monthly: 76, purchased: 0 },
    });
  });

  test("the mock serves the client's call of every documented endpoint", async () => {
    const asked: string[] = [];
    const client = clientOf("test-key", {
      onRequest: ({ method, path }) => asked.push(`${method} ${path.replace(/\w+_\w{14}/, ":id")}`),
    });
    const job = await client.jobs.submit(requestOf("generate-ad"));
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

  test("refusals are typed errors, and charge nothing", async () => {
    const brand = await client.brands.create({ name: "Acme" });
    const job = await client.jobs.submit(requestOf("generate-ad-copy"));
    const ad = await client.savedAds.create({ brand_id: brand.id });
    const [other, poor, stranger] = ["other-key", "poor-key", "test-stranger"].map((key) =>
      clientOf(key),
    ) as [AdGenClient, AdGenClient, AdGenClient];
    const submit = (request: object) => client.jobs.submit(request as JobRequest);
    const generate = requestOf("generate-ad");
    const calls: readonly [new (...given: never) => Error, string, () => Promise<unknown>][] = [
      [BadRequestError, "bad_request", () => submit({ action: "generate-ad", variations: 11 })],
      [UnauthorizedError, "unauthorized", () => stranger.jobs.submit(generate)],
      [UnauthorizedError, "unauthorized", () => stranger.brands.list()],
      [PaymentRequiredError, "payment_required", () => poor.jobs.submit(generate)],
      [PaymentRequiredError, "payment_required", () => poor.jobs.submit(requestOf("video-a-2"))],
      [NotFoundError, "not_found", () => client.savedAds.create({ brand_id: "brand_nope" })],
      [NotFoundError, "not_found", () => client.brands.listAds("a/b?c")],
      [NotFoundError, "not_found", () => other.jobs.get(job)],
      [NotFoundError, "not_found", () => other.brands.delete(brand.id)],
      [NotFoundError, "not_found", () => other.savedAds.delete(ad.id)],
    ];
    for (const [ErrorClass, code, call] of calls) {
      const { error } = await toResult(call());
      expect(error).toBeInstanceOf(ErrorClass);
      expect(error).toMatchObject({ code });
      expect(error).not.toHaveProperty("supportedActions");
      if (error?.method === "POST") expect(error.outcome).toBe("refused");
      expect(JSON.stringify(error)).not.toContain("stranger");
    }
    const { error } = await toResult(submit({ action: "nope" }));
    expect(error).toMatchObject({ status: 400, outcome: "refused", supportedActions: actions });

    expect((await client.brands.listAds(brand.id)).items).toEqual([ad]);
    expect(service.account("test-key").credits.image.monthly).toBe(100);
    // Ad copy is free.
    const copy = await poor.jobs.submitAndPoll(requestOf("generate-ad-copy"));
    expect([copy.status, service.account("poor-key").ledger]).toEqual(["completed", []]);
  });
});
