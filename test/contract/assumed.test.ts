import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  assumedBrand,
  assumedResults,
  assumedSavedAd,
  assumedSchemas,
} from "../../src/assumed/index.ts";
import { createClient, type StandardSchema } from "../../src/client/index.ts";
import { type Action, actions, creditOfAction } from "../../src/contract/actions.ts";
import { maxVariations } from "../../src/contract/jobs.ts";
import { assumptions, assumptionsTable } from "../../tools/openapi/assumptions.ts";
import { success } from "../helpers/answers.ts";
import { rejection, testKey } from "../helpers/client.ts";
import { wordsInCode } from "../helpers/documents.ts";
import { listen } from "../helpers/http-server.ts";
import { atOnce, setUp } from "../mocks/set-up.ts";

const validate = (schema: StandardSchema, value: unknown) => schema["~standard"].validate(value);

const credits = { image: { purchased: 200 }, video: { purchased: 5000 } };

const start = () => setUp({ timeline: atOnce, accounts: { "test-key": { credits } } });

type Mock = ReturnType<typeof start>;

/** Submits a job to the mock, and gives its result. */
const resultOf = async ({ submit, poll }: Mock, action: Action, parameters: object) => {
  const id = await submit({ action, prompt: "Iced tea", ...parameters });
  const { status, result } = (await poll(id)).data;
  expect(status).toBe("completed");
  return result;
};

type Made = readonly [number: "A5" | "A6" | "A9", schema: StandardSchema, value: object];

/** Makes one value for each of the ready schemas. */
const made = async (): Promise<readonly Made[]> => {
  const mock = start();
  const { ask } = mock;
  const brand = (await ask("POST", "/v1/brands", { name: "Acme", colors: ["red"] })).data;
  const ad = (await ask("POST", "/v1/saved-ads", { brand_id: brand.id, headline: "Cold" })).data;
  const kinds = ["generate-ad", "video-a-2", "generate-ad-copy"] as const;
  const results = kinds.map(async (action): Promise<Made> => {
    return ["A9", assumedResults[action], await resultOf(mock, action, {})];
  });
  return [["A5", assumedBrand, brand], ["A6", assumedSavedAd, ad], ...(await Promise.all(results))];
};

/** Expects that a schema takes a value, and gives the value itself: with all its fields. */
const expectTaken = async (schema: StandardSchema, value: unknown) => {
  const verdict = await validate(schema, value);
  expect(verdict).toEqual({ value });
  expect("value" in verdict && verdict.value).toBe(value);
};

test.each(actions)("a ready schema takes the mock's result of %s", async (action) => {
  const mock = start();
  const counts = Array.from({ length: maxVariations }, (_, index) => ({ variations: index + 1 }));
  const videos = [{ duration: 1 }, { duration: 60, aspect_ratio: "9:16" }];
  for (const parameters of creditOfAction[action] === "video" ? videos : counts) {
    const result = await resultOf(mock, action, parameters);
    const length = "variations" in parameters ? parameters.variations : 1;
    expect(Object.values(result)).toEqual([expect.objectContaining({ length })]);
    await expectTaken(assumedResults[action], result);
  }
});

test("the ready schemas take the mock's brands and saved ads with all their fields", async () => {
  for (const [, schema, value] of await made()) await expectTaken(schema, value);
});

test("the ready schemas check exactly the fields that their assumptions name", async () => {
  const known = new Set<string>();
  const required = new Set<string>();
  for (const [number, schema, value] of await made()) {
    const tryOthers = async (holder: object): Promise<void> => {
      for (const [name, field] of Object.entries(holder)) {
        Reflect.deleteProperty(holder, name);
        const missing = await validate(schema, value);
        if (missing.issues) required.add(`${number} ${name}`);
        for (const { message } of missing.issues ?? []) {
          const words = new RegExp(`^expected \\w+, got undefined \\(assumed ${number}\\)$`);
          expect(message).toMatch(words);
        }
        Object.assign(holder, { [name]: true });
        // A field of another type is refused, or left out of a copy.
        const verdict = await validate(schema, value);
        if (verdict.issues || verdict.value !== value) known.add(`${number} ${name}`);
        Object.assign(holder, { [name]: field });
        if (Array.isArray(field) && typeof field[0] === "object") await tryOthers(field[0]);
      }
    };
    await tryOthers(value);
  }
  const named = (["A5", "A6", "A9"] as const).flatMap((number) =>
    [...wordsInCode(assumptions[number].assumed)].map((name) => `${number} ${name}`),
  );
  // The schemas don't see the job around a result, nor a field that is only sent.
  const notTheirs = ["A9 result", "A6 job_id"];
  expect([...known].sort()).toEqual(named.filter((name) => !notTheirs.includes(name)).sort());
  const ofResults = ["A9 copy", "A9 images", "A9 url", "A9 videos"];
  expect([...required].sort()).toEqual(["A5 id", "A6 id", ...ofResults]);
});

const ref = { job_id: "job-1", action: "generate-ad" } as const;
const image = { url: "https://cdn.test/1.png", width: 1080, height: 1080 };

const completed = (result: unknown) => ({ job_id: "job-1", status: "completed", result });

/** Creates a client with the ready schemas, for a server that answers with these data. */
const clientFor = async (...data: unknown[]) => {
  const { url } = await listen(...data.map((one) => success(one)));
  return createClient({ baseUrl: url, apiKey: testKey, schemas: assumedSchemas });
};

const pictures = (...all: object[]) => ({ images: all.map((one) => ({ ...image, ...one })) });

test.each<[what: string, result: unknown, place: string, message: string]>([
  ["no URL", pictures({}, { url: undefined }), "images.1.url", "string, got undefined"],
  ["null for a URL", pictures({ url: null }), "images.0.url", "string, got null"],
  ["texts for pictures", { images: [image.url] }, "images.0", "object, got a string"],
  ["a picture for the list", { images: image }, "images", "array, got an object"],
  ["videos", { videos: [{ url: "u", duration: 1 }] }, "images", "array, got undefined"],
  ["a list for all", [image], "", "object, got an array"],
  ["nothing", undefined, "", "object, got undefined"],
])("a result with %s is an error that names place, assumption and job", async (...row) => {
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

test.each<[what: string, job: typeof ref | typeof videoJob | typeof copyJob, result: object]>([
  ["pictures without a size", ref, { images: [bare] }],
  ["pictures with fields of the service's own", ref, { images: [{ ...image, seed: 7 }], cost: 1 }],
  ["a video without its length", videoJob, { videos: [bare] }],
  ["a text without its button", copyJob, { copy: [{ headline: "Cold" }] }],
])("a result of %s is returned whole", async (_, job, result) => {
  const { jobs } = await clientFor(completed(result));
  expect(await jobs.get(job)).toEqual(completed(result));
});

test("an optional field of another type is left out, and hides nothing else of a result", async () => {
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

test("a brand and a saved ad need only an id, and keep all other fields", async () => {
  const brand = { id: "b", colors: ["red"] };
  const ad = { id: "ad", created_at: "today", headline: "Cold" };
  const { brands, savedAds } = await clientFor(brand, { ...ad, brand_id: 7 }, { id: 7 });

  expect(await brands.create({ name: "Acme" })).toStrictEqual(brand);
  expect(await savedAds.create({ brand_id: "b" })).toStrictEqual(ad);
  expect(await rejection(savedAds.create({ brand_id: "b" }))).toMatchObject({
    ...{ code: "decode", outcome: "unknown", issues: [{ path: ["id"] }] },
  });
});

test("each assumption about the API is marked in the code by its number, unless it has no code", () => {
  const marked = new Set<string>();
  for (const file of globSync("{src,mocks}/**/*.ts")) {
    const text = readFileSync(file, "utf8");
    const found = Array.from(text.matchAll(/@assumed((?: A\d+)+)/g), ([, marks = ""]) => marks);
    for (const number of found.join(" ").match(/A\d+/g) ?? []) marked.add(number);
    expect(text.match(/@assumed(?! A\d)/g), file).toBeNull();
  }
  const without = Object.keys(assumptions).filter((number) => !marked.has(number));
  expect(without).toEqual(["A12", "A16", "A18"]);
  for (const number of marked) expect(assumptions).toHaveProperty(number);
});

test("the docs list all assumptions, in the words of the OpenAPI document", () => {
  const page = readFileSync("docs/service/documented-and-assumed.md", "utf8");
  const [, table] = /<!-- assumptions -->\s+(.*?)\s+<!-- \/assumptions -->/s.exec(page) ?? [];
  expect(table).toBe(assumptionsTable());
});
