import { describe, expect, it } from "vitest";
import { assumedImageResult, assumedSchemas } from "../../src/assumed.ts";
import { createClient } from "../../src/index.ts";
import { type Exchange, successes } from "../contract/exchanges.ts";
import { queued, raw, success } from "../helpers/answers.ts";
import { rejection, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const ref = { job_id: "job-1", action: "generate-ad" } as const;
const image = { url: "https://cdn.test/1.png", width: 1080, height: 1080 };
const brand = { id: "b", name: "Acme", created_at: "today", updated_at: "today" };
const savedAd = { id: "a", brand_id: "b", created_at: "today" };

const completed = (result: unknown) => ({ job_id: "job-1", status: "completed", result });

/** A client with the ready schemas, of a server that gives these answers. */
const clientFor = async (...answers: Answer[]) => {
  const { url } = await listen(...answers);
  return createClient({ baseUrl: url, apiKey: testKey, schemas: assumedSchemas });
};

type AssumedClient = Awaited<ReturnType<typeof clientFor>>;

/** The recorded answers that a schema reads, and the calls that get them. */
const calls: Record<string, (client: AssumedClient) => Promise<unknown>> = {
  "create brand": ({ brands }) => brands.create({ name: "Acme" }),
  "update brand": ({ brands }) => brands.update("brand_4tRk8sYp1cNe", { name: "Acme" }),
  "list brands": async ({ brands }) => ({ brands: (await brands.list()).items }),
  "list ads of brand": async ({ brands }) => ({ ads: (await brands.listAds("b")).items }),
  "save ad": ({ savedAds }) => savedAds.create({ brand_id: "b" }),
  "get completed image job": ({ jobs }) =>
    jobs.get({ job_id: "job_7Qd2mVx0aLw9", action: "generate-ad" }),
  "get completed video job": ({ jobs }) =>
    jobs.get({ job_id: "job_2Xc5nBv8mKl1", action: "video-a-2" }),
  "get completed copy job": ({ jobs }) =>
    jobs.get({ job_id: "job_6Yp3qRt9wEz4", action: "generate-ad-copy" }),
};

describe("the ready schemas", () => {
  const recorded = Object.entries(calls).map(
    ([name, call]) =>
      [name, call, successes.find((exchange) => exchange.name === name) as Exchange] as const,
  );

  it.each(recorded)("take the recorded answer: %s", async (_, call, { response }) => {
    const client = await clientFor(raw(response.status, JSON.stringify(response.body)));
    expect(await call(client)).toEqual(response.body.data);
  });

  it("type the result of a job that was submitted", async () => {
    const { jobs } = await clientFor(queued(), success(completed({ images: [image] })));
    const job = await jobs.get(await jobs.submit({ action: "generate-ad" }));
    const url: string | undefined = job.status === "completed" ? job.result.images[0]?.url : "";
    expect(url).toBe(image.url);
  });

  it("keep fields that they do not name, in their order, on every level", async () => {
    const result = {
      seed: 7,
      images: [{ id: "i", ...image, alt: { text: ["a"] } }],
      model: { name: "m" },
    };
    const openBrand = { colors: ["red"], ...brand, logo: { url: "x" } };
    const openAd = { headline: "Cold", ...savedAd, tags: [] };
    const client = await clientFor(success(completed(result)), success(openBrand), success(openAd));
    expect(JSON.stringify(await client.jobs.get(ref))).toBe(JSON.stringify(completed(result)));
    expect(JSON.stringify(await client.brands.create({ name: "Acme" }))).toBe(
      JSON.stringify(openBrand),
    );
    expect(JSON.stringify(await client.savedAds.create({ brand_id: "b" }))).toBe(
      JSON.stringify(openAd),
    );
  });

  it("read no field from a prototype", async () => {
    const { width, height } = image;
    const inheriting = Object.assign(Object.create({ url: image.url }), { width, height });
    const { validate } = assumedImageResult["~standard"];
    expect(await validate({ images: [inheriting] })).toMatchObject({
      issues: [{ path: ["images", 0, "url"] }],
    });
  });
});

describe("a result that does not fit a ready schema", () => {
  it.each<[what: string, result: unknown, path: (string | number)[], message: string]>([
    [
      "without a picture's width",
      { images: [{ ...image, width: undefined }] },
      ["images", 0, "width"],
      "expected number, got undefined",
    ],
    [
      "with a text for a height",
      { images: [image, { ...image, height: "9" }] },
      ["images", 1, "height"],
      "expected number, got a string",
    ],
    [
      "with null for a URL",
      { images: [{ ...image, url: null }] },
      ["images", 0, "url"],
      "expected string, got null",
    ],
    [
      "with texts for pictures",
      { images: ["https://cdn.test/1.png"] },
      ["images", 0],
      "expected object, got a string",
    ],
    ["with one picture for a list", { images: image }, ["images"], "expected array, got an object"],
    [
      "with videos",
      { videos: [{ url: "u", duration: 1 }] },
      ["images"],
      "expected array, got undefined",
    ],
    ["that is a list", [image], [], "expected object, got an array"],
    ["that is missing", undefined, [], "expected object, got undefined"],
  ])("%s names its place and its assumption, and leaves the job", async (_, result, path, said) => {
    const error = await rejection((await clientFor(success(completed(result)))).jobs.get(ref));
    expect(error).toMatchObject({
      name: "DecodeError",
      code: "decode",
      jobId: "job-1",
      lastJob: JSON.parse(JSON.stringify(completed(result))),
      issues: [{ path: ["result", ...path], message: `${said} (assumed A9)` }],
    });
    expect(error.message).toContain(`${["result", ...path].join(".")}: ${said} (assumed A9)`);
  });

  it("lists all that is wrong, up to ten things", async () => {
    const result = { images: Array(8).fill({ url: 1 }) };
    const error = await rejection((await clientFor(success(completed(result)))).jobs.get(ref));
    expect(error).toMatchObject({ code: "decode" });
    expect((error as { issues?: unknown }).issues).toHaveLength(10);
  });
});

describe("a thing of the library that does not fit", () => {
  it.each(Object.keys(brand))("a brand without %s is an error with A5", async (name) => {
    const { brands } = await clientFor(success({ ...brand, [name]: 7 }));
    const error = await rejection(brands.create({ name: "Acme" }));
    // Without an id it is no answer at all, by the client's own check.
    const message = `expected string, got a number${name === "id" ? "" : " (assumed A5)"}`;
    expect(error).toMatchObject({
      code: "decode",
      outcome: "unknown",
      issues: [{ path: [name], message }],
    });
  });

  it.each(Object.keys(savedAd))("a saved ad without %s is an error with A6", async (name) => {
    const { savedAds } = await clientFor(success({ ...savedAd, [name]: null }));
    const error = await rejection(savedAds.create({ brand_id: "b" }));
    const message = `expected string, got null${name === "id" ? "" : " (assumed A6)"}`;
    expect(error).toMatchObject({
      code: "decode",
      outcome: "unknown",
      issues: [{ path: [name], message }],
    });
  });
});
