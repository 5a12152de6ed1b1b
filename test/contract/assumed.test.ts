import { describe, expect, test } from "vitest";
import { assumedBrand, assumedResults, assumedSavedAd } from "../../src/assumed/index.ts";
import type { StandardSchema } from "../../src/client/index.ts";
import { type Action, actions, creditOfAction } from "../../src/contract/actions.ts";
import { maxVariations } from "../../src/contract/jobs.ts";
import { assumptions } from "../../tools/openapi/assumptions.ts";
import { wordsInCode } from "../helpers/documents.ts";
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

/** Makes one of each thing that a ready schema is for. */
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

describe("a ready schema takes what the mock makes, and gives it as it came", () => {
  test.each(actions)("the result of %s, with any number of variations", async (action) => {
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

  test("brands and saved ads, with the fields that were sent", async () => {
    for (const [, schema, value] of await made()) await expectTaken(schema, value);
  });
});

test("the ready schemas know just the fields that their assumptions name, and say so", async () => {
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
        // It is refused, or left out of a copy.
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
  // The field of a job that holds its result, and a field of a saved ad that may be sent.
  const notTheirs = ["A9 result", "A6 job_id"];
  expect([...known].sort()).toEqual(named.filter((name) => !notTheirs.includes(name)).sort());
  const ofResults = ["A9 copy", "A9 images", "A9 url", "A9 videos"];
  expect([...required].sort()).toEqual(["A5 id", "A6 id", ...ofResults]);
});
