import { expect, it } from "vitest";
import { assumedImageResult, assumedSchemas } from "../../src/assumed.ts";
import { createClient } from "../../src/index.ts";
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
  ["no width", pictures({ width: undefined }), "images.0.width", "number, got undefined"],
  ["a text for height", pictures({}, { height: "9" }), "images.1.height", "number, got a string"],
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
  expect(error.message).toContain(`${path.join(".")}: ${message}`);
});

it("a brand and a saved ad are checked by schemas of their own", async () => {
  const brand = { id: "b", name: "Acme", created_at: "today" };
  const { brands, savedAds } = await clientFor(brand, { ...brand, brand_id: 7 });

  const errors = [
    await rejection(brands.create({ name: "Acme" })),
    await rejection(savedAds.create({ brand_id: "b" })),
  ];

  const decode = { code: "decode", outcome: "unknown" };
  expect(errors).toMatchObject([
    { ...decode, issues: [{ path: ["updated_at"] }] },
    {
      ...decode,
      issues: [{ path: ["brand_id"], message: "expected string, got a number (assumed A6)" }],
    },
  ]);
});

it("the ready schemas read no field from a prototype", async () => {
  const { width, height } = image;
  const inheriting = Object.assign(Object.create({ url: image.url }), { width, height });
  const { validate } = assumedImageResult["~standard"];
  expect(await validate({ images: [inheriting] })).toMatchObject({
    issues: [{ path: ["images", 0, "url"] }],
  });
});
