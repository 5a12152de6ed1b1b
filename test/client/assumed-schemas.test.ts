import { expect, it } from "vitest";
import { assumedImageResult, assumedSchemas } from "../../src/assumed/index.ts";
import { createClient } from "../../src/client/index.ts";
import { success } from "../helpers/answers.ts";
import { rejection, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const ref = { job_id: "job-1", action: "generate-ad" } as const;
const image = { url: "https://cdn.test/1.png", width: 1080, height: 1080 };

const completed = (result: unknown) => ({ job_id: "job-1", status: "completed", result });

/** A client with the ready schemas, of a server that gives these data. */
const clientFor = async (...data: unknown[]) => {
  const { url } = await listen(...data.map((one) => success(one)));
  return createClient({ baseUrl: url, apiKey: testKey, schemas: assumedSchemas });
};

const pictures = (...all: object[]) => ({ images: all.map((one) => ({ ...image, ...one })) });

it.each<[what: string, result: unknown, place: string, message: string]>([
  ["no URL", pictures({}, { url: undefined }), "images.1.url", "string, got undefined"],
  ["null for a URL", pictures({ url: null }), "images.0.url", "string, got null"],
  ["texts for pictures", { images: [image.url] }, "images.0", "object, got a string"],
  ["a picture for the list", { images: image }, "images", "array, got an object"],
  ["videos", { videos: [{ url: "u", duration: 1 }] }, "images", "array, got undefined"],
  ["a list for all", [image], "", "object, got an array"],
  ["nothing", undefined, "", "object, got undefined"],
])("a result with %s is an error with its place, its assumption and the job", async (...row) => {
  const [, result, place, said] = row;
  const { jobs } = await clientFor(completed(result));

  const error = await rejection(jobs.get(ref));

  const parts = place === "" ? [] : place.split(".");
  const path = ["result", ...parts.map((part) => (/^\d$/.test(part) ? Number(part) : part))];
  const message = `expected ${said} (assumed A9)`;
  expect(error).toMatchObject({
    ...{ name: "DecodeError", code: "decode", jobId: "job-1", issues: [{ path, message }] },
    lastJob: JSON.parse(JSON.stringify(completed(result))),
  });
  expect(error.message).toContain(
    `${path.join(".")}: ${message}; the job is completed and paid: ` +
      "its result is in error.lastJob.result",
  );
});

const videoJob = { job_id: "job-1", action: "video-a-2" } as const;
const copyJob = { job_id: "job-1", action: "generate-ad-copy" } as const;
const bare = { url: image.url };

it.each<[what: string, job: typeof ref | typeof videoJob | typeof copyJob, result: object]>([
  ["pictures without a size", ref, { images: [bare] }],
  ["pictures with fields of the service's own", ref, { images: [{ ...image, seed: 7 }], cost: 1 }],
  ["a video without its length", videoJob, { videos: [bare] }],
  ["a text without its button", copyJob, { copy: [{ headline: "Cold" }] }],
])("a result of %s is given whole", async (_, job, result) => {
  const { jobs } = await clientFor(completed(result));
  expect(await jobs.get(job)).toEqual(completed(result));
});

it("a field of another type than assumed is left out, and hides nothing else of a result", async () => {
  const odd = [{ width: "1080", seed: 7 }, { height: null }];
  const { jobs } = await clientFor(completed({ ...pictures(...odd), cost: 1 }));

  const { url, width, height } = image;
  const images = [
    { url, height, seed: 7 },
    { url, width },
  ];
  const job = await jobs.get(ref);
  expect(job).toStrictEqual(completed({ images, cost: 1 }));
});

it("a brand and a saved ad need an id alone, and keep all other fields", async () => {
  const brand = { id: "b", colors: ["red"] };
  const ad = { id: "ad", created_at: "today", headline: "Cold" };
  const { brands, savedAds } = await clientFor(brand, { ...ad, brand_id: 7 }, { id: 7 });

  expect(await brands.create({ name: "Acme" })).toStrictEqual(brand);
  expect(await savedAds.create({ brand_id: "b" })).toStrictEqual(ad);
  expect(await rejection(savedAds.create({ brand_id: "b" }))).toMatchObject({
    ...{ code: "decode", outcome: "unknown", issues: [{ path: ["id"] }] },
  });
});

it("the ready schemas read no field from a prototype", async () => {
  const { width, height } = image;
  const inheriting = Object.assign(Object.create({ url: image.url }), { width, height });
  const { validate } = assumedImageResult["~standard"];
  expect(await validate({ images: [inheriting] })).toMatchObject({
    issues: [{ path: ["images", 0, "url"] }],
  });
});
