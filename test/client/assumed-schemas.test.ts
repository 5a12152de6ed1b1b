import { describe, expect, it } from "vitest";
import { assumedImageResult, assumedSchemas } from "../../src/assumed.ts";
import { createClient } from "../../src/index.ts";
import { queued, success } from "../helpers/answers.ts";
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

describe("the ready schemas", () => {
  it("type the result of a job that was submitted", async () => {
    const { jobs } = await clientFor(queued(), success(completed({ images: [image] })));
    const job = await jobs.get(await jobs.submit({ action: "generate-ad" }));
    const url: string | undefined = job.status === "completed" ? job.result.images[0]?.url : "";
    expect(url).toBe(image.url);
  });

  it("keep fields that they do not name, in their order, on every level", async () => {
    const images = [{ id: "i", ...image, alt: { text: ["a"] } }];
    const openJob = completed({ seed: 7, images, model: { name: "m" } });
    const openBrand = { colors: ["red"], ...brand, logo: { url: "x" } };
    const openAd = { headline: "Cold", ...savedAd, tags: [] };
    const given = [openJob, openBrand, openAd];
    const { jobs, brands, savedAds } = await clientFor(...given.map((data) => success(data)));

    const got = [
      await jobs.get(ref),
      await brands.create({ name: "Acme" }),
      await savedAds.create({ brand_id: "b" }),
    ];

    expect(JSON.stringify(got)).toBe(JSON.stringify(given));
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
  const resultError = async (result: unknown) =>
    rejection((await clientFor(success(completed(result)))).jobs.get(ref));

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
  ])(
    "by %s names its place and its assumption, and leaves the job",
    async (_, result, place, said) => {
      const error = await resultError(result);

      const parts = place === "" ? [] : place.split(".");
      const path = ["result", ...parts.map((part) => (/^\d$/.test(part) ? Number(part) : part))];
      const message = `expected ${said} (assumed A9)`;
      expect(error).toMatchObject({
        ...{ name: "DecodeError", code: "decode", jobId: "job-1", issues: [{ path, message }] },
        lastJob: JSON.parse(JSON.stringify(completed(result))),
      });
      expect(error.message).toContain(`${path.join(".")}: ${message}`);
    },
  );

  it("lists all that is wrong, up to ten things", async () => {
    const error = await resultError({ images: Array(8).fill({ url: 1 }) });
    expect(error.code).toBe("decode");
    expect(error).toHaveProperty("issues.length", 10);
  });
});

it.each([
  ...Object.keys(brand).map((name) => ["brand", name, "A5"] as const),
  ...Object.keys(savedAd).map((name) => ["saved ad", name, "A6"] as const),
])("a %s without %s is an error with %s", async (thing, name, assumption) => {
  const isBrand = thing === "brand";
  const data = { ...(isBrand ? brand : savedAd), [name]: 7 };
  const { brands, savedAds } = await clientFor(success(data));

  const error = await rejection(
    isBrand ? brands.create({ name: "Acme" }) : savedAds.create({ brand_id: "b" }),
  );

  // Without an id it is no answer at all, by the client's own check.
  const by = name === "id" ? "" : ` (assumed ${assumption})`;
  const issues = [{ path: [name], message: `expected string, got a number${by}` }];
  expect(error).toMatchObject({ code: "decode", outcome: "unknown", issues });
});
