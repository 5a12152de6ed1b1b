import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import type { StandardSchema } from "../../src/answer/standard-schema.ts";
import type { DecodeError } from "../../src/index.ts";
import { success } from "../helpers/answers.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const digits = /^\d+$/;

/** A thing with an id, whose size is sent as a text and given as a number. */
const libraries: readonly [string, StandardSchema][] = [
  ["zod", z.object({ id: z.string(), size: z.string().regex(digits).transform(Number) })],
  [
    "zod/mini",
    mini.object({
      id: mini.string(),
      size: mini.pipe(mini.string().check(mini.regex(digits)), mini.transform(Number)),
    }),
  ],
  [
    "valibot",
    v.object({ id: v.string(), size: v.pipe(v.string(), v.regex(digits), v.transform(Number)) }),
  ],
  ["arktype", type({ id: "string", size: "string.numeric.parse", "+": "delete" })],
  [
    "zod, asynchronously",
    z.object({
      id: z.string(),
      size: z
        .string()
        .regex(digits)
        .transform(async (text) => Number(text)),
    }),
  ],
  [
    "valibot, asynchronously",
    v.objectAsync({
      id: v.string(),
      size: v.pipeAsync(
        v.string(),
        v.regex(digits),
        v.transformAsync(async (text) => Number(text)),
      ),
    }),
  ],
];

const good = { id: "x-1", size: "40", more: true };
const made = { id: "x-1", size: 40 };
const bad = { id: "x-2", size: "large" };

describe.each(libraries)("a schema of %s", (_, schema) => {
  const schemas = { brand: schema, savedAd: schema, results: { "generate-ad": schema } };

  it("replaces every brand by its output", async () => {
    const server = await listen(success(good), success(good), success({ brands: [good, good] }));
    const { brands } = clientOf(server, { schemas });
    expect(await brands.create({ name: "Acme" })).toEqual(made);
    expect(await brands.update("x-1", {})).toEqual(made);
    expect(await brands.list()).toEqual({ items: [made, made], meta: {} });
  });

  it("replaces every saved ad by its output", async () => {
    const server = await listen(success(good), success({ ads: [good] }));
    const { brands, savedAds } = clientOf(server, { schemas });
    expect(await savedAds.create({ brand_id: "b-1" })).toEqual(made);
    expect(await brands.listAds("b-1")).toEqual({ items: [made], meta: {} });
  });

  it("replaces a result by its output", async () => {
    const job = { job_id: "job-1", status: "completed", cost: 4 };
    const server = await listen(success({ ...job, result: good }));
    const { jobs } = clientOf(server, { schemas });
    const ref = { job_id: "job-1", action: "generate-ad" } as const;
    expect(await jobs.get(ref)).toEqual({ ...job, result: made });
  });

  it("names the path of a value that does not fit", async () => {
    const server = await listen(success({ brands: [good, bad] }));
    const error = await rejection(clientOf(server, { schemas }).brands.list());
    expect(error).toMatchObject({
      name: "DecodeError",
      code: "decode",
      status: 200,
      issues: [{ path: ["brands", 1, "size"], message: expect.stringMatching(/./) }],
      received: { data: { brands: [good, bad] } },
    });
    expect(error.message).toMatch(/^GET \/v1\/brands answered .* brands\.1\.size: /);
  });

  it("says of a write that it may have been carried out", async () => {
    const server = await listen(success(bad, 201));
    const error = await rejection(clientOf(server, { schemas }).brands.create({ name: "Acme" }));
    expect(error).toMatchObject({ code: "decode", outcome: "unknown", received: { data: bad } });
    expect(server.received).toHaveLength(1);
  });
});

describe("a schema with a bug", () => {
  type Validate = StandardSchema["~standard"]["validate"];
  const bug = new Error("bug in a schema");
  const failureWith = async (validate: Validate) => {
    const brand: StandardSchema = { "~standard": { version: 1, vendor: "test", validate } };
    const client = clientOf(await listen(success({ id: "x-1" })), { schemas: { brand } });
    return rejection(client.brands.update("x-1", {}));
  };

  it.each<[string, Validate]>([
    [
      "throws",
      () => {
        throw bug;
      },
    ],
    ["rejects", () => Promise.reject(bug)],
  ])("that %s is the cause of a DecodeError", async (_, validate) => {
    const error = await failureWith(validate);
    expect(error).toMatchObject({ name: "DecodeError", code: "decode", issues: [] });
    // A copy: the schema's own error may hold the value, and with it the key.
    expect(error.cause).toEqual(new Error("bug in a schema"));
    expect(error.cause).not.toBe(bug);
    expect(error.message).toBe(
      "PATCH /v1/brands/x-1 answered data that your schema failed on: bug in a schema" +
        "; it may have been carried out",
    );
  });

  it.each([
    ["nothing", undefined],
    ["issues that are none", { issues: 7 }],
    ["a path of nothing", { issues: [{ message: "no", path: [null] }] }],
  ])("that gives %s is a DecodeError", async (_, result) => {
    const error = await failureWith(() => result as never);
    expect(error).toMatchObject({ name: "DecodeError", reason: "schema", issues: [] });
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.message).toContain(" answered data that your schema failed on: ");
  });

  it("that gives an issue without a message is a DecodeError", async () => {
    const error = await failureWith(() => ({ issues: [{}] }) as never);
    expect(error).toMatchObject({ name: "DecodeError", reason: "schema" });
    expect(error).toMatchObject({ issues: [{ path: [], message: expect.any(String) }] });
    expect(error.message).toContain(" answered data that does not fit your schema: data: ");
  });

  it("that gives a thousand long issues leaves a small error", async () => {
    const issue = { message: "m".repeat(10_000), path: [{ key: "a" }, 1, Symbol("s")] };
    const error = await failureWith(() => ({ issues: Array(1_000).fill(issue) }));
    const { issues } = error as DecodeError;
    expect(issues.length).toBeGreaterThan(0);
    expect(issues.length).toBeLessThanOrEqual(20);
    for (const { path, message } of issues) {
      expect(path).toEqual(["a", 1, "Symbol(s)"]);
      expect(message).toMatch(/^m{100,499}…$/);
    }
    expect(error.message.length).toBeLessThan(1_000);
    expect(JSON.stringify(error).length).toBeLessThan(10_000);
  });
});
