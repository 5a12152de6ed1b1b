import { expect, it } from "vitest";
import * as z from "zod";
import type { DecodeError } from "../../src/client/index.ts";
import type { StandardSchema } from "../../src/client/options/standard-schema.ts";
import { queued, success } from "../helpers/answers.ts";
import { schemaOf } from "../helpers/calls.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const digits = /^\d+$/;
const later = async (text: string) => Number(text);

/** Schemas that make a number of the size. The packaging tests try other libraries. */
const libraries: readonly [string, StandardSchema][] = [
  ["zod", z.object({ id: z.string(), size: z.string().regex(digits).transform(Number) })],
  ["zod, in time", z.object({ id: z.string(), size: z.string().regex(digits).transform(later) })],
];

const good = { id: "x-1", size: "40", more: true };
const made = { id: "x-1", size: 40 };
const bad = { id: "x-2", size: "large" };

it.each(libraries)(
  "the output of a schema of %s is returned, and a misfit's path is in the error",
  async (_, schema) => {
    const schemas = { brand: schema, results: { "generate-ad": schema } };
    const completed = { job_id: "job-1", status: "completed", cost: 4 };
    const server = await listen(
      ...[
        success(good),
        success({ brands: [good, good] }),
        success({ ...completed, result: good }),
      ],
      ...[success({ brands: [good, bad] }), success(bad, 201)],
    );
    const { brands, jobs } = clientOf(server, { schemas });

    expect(await brands.create({ name: "Acme" })).toEqual(made);
    expect(await brands.list()).toEqual({ items: [made, made], meta: {} });
    const ref = { job_id: "job-1", action: "generate-ad" } as const;
    expect(await jobs.get(ref)).toEqual({ ...completed, result: made });
    const error = await rejection(brands.list());
    const ofWrite = await rejection(brands.create({ name: "Acme" }));

    expect(error).toMatchObject({
      ...{ name: "DecodeError", code: "decode", status: 200 },
      issues: [{ path: ["brands", 1, "size"], message: expect.stringMatching(/./) }],
      received: { data: { brands: [good, bad] } },
    });
    expect(error.message).toMatch(/^GET \/v1\/brands answered .* brands\.1\.size: /);
    expect(ofWrite).toMatchObject({ code: "decode", outcome: "unknown", received: { data: bad } });
    expect(server.received).toHaveLength(5);
  },
);

it("a schema checks only its own kind of resource", async () => {
  const kindOf = (kind: string) => schemaOf(() => ({ value: kind }));
  const schemas = { brand: kindOf("brand"), savedAd: kindOf("ad") };
  const server = await listen(success({ id: "x", items: [{ id: "x" }] }));
  const { brands, savedAds } = clientOf(server, { schemas });

  expect(await brands.create({ name: "Acme" })).toBe("brand");
  expect(await brands.update("x", {})).toBe("brand");
  expect((await brands.list()).items).toEqual(["brand"]);
  expect((await brands.listAds("x")).items).toEqual(["ad"]);
  expect(await savedAds.create({ brand_id: "x" })).toBe("ad");
});

const schemas = {
  results: {
    "generate-ad": z.object({ images: z.array(z.string()) }),
    "edit-ad": z.unknown().transform(() => "made"),
    "image-a-2": z.string().optional(),
  },
};
const completed = { job_id: "job-1", status: "completed", result: 7, cost: 4 };
const get = async (job: object, action?: "generate-ad" | "copy-ad") =>
  clientOf(await listen(success(job)), { schemas }).jobs.get({ job_id: "job-1", action });

it.each<[string, object, "generate-ad"?]>([
  ["names its action", { ...completed, action: "generate-ad" }],
  ["is given with its action", completed, "generate-ad"],
  ["has no result", { job_id: "job-1", status: "completed", action: "generate-ad" }],
])("a result is checked if its job %s, and the error has the whole job", async (_, job, action) => {
  const error = await rejection(get(job, action));

  expect(error).toMatchObject({
    ...{ name: "DecodeError", code: "decode", jobId: "job-1", lastJob: job },
    issues: [{ path: ["result"] }],
    message: expect.stringMatching(/; the job is completed and paid: .* error\.lastJob\.result$/),
  });
  expect(Object.keys(error)).not.toContain("lastJob");
});

it.each<[string, object, object?]>([
  ["of an action with another schema", { action: "edit-ad" }, { result: "made" }],
  ["that may be missing", { action: "image-a-2", result: undefined }],
  ["of an action without a schema", { action: "copy-ad" }],
  ["of an unknown action", { action: "toString" }],
  ["of an unfinished job", { action: "generate-ad", status: "processing" }],
  ["of a failed job", { action: "generate-ad", status: "failed" }],
])("a result %s is the output of its own action's schema", async (_, more, given = {}) => {
  expect(await get({ ...completed, ...more })).toEqual({ ...completed, ...more, ...given });
});

it("a result is checked by the job's id once this client has submitted the job, but not in a list", async () => {
  const jobsData = { jobs: [{ ...completed, action: "generate-ad" }] };
  // The service may call the action by another name.
  const renamed = { ...completed, action: "Generate ad" };
  const server = await listen(queued("job-1"), success(jobsData), success(renamed));
  const { jobs } = clientOf(server, { schemas });
  await jobs.submit(paidJob);

  expect((await jobs.list()).items).toHaveLength(1);
  expect(await rejection(jobs.get("job-1"))).toMatchObject({ code: "decode" });
  expect(await clientOf(server, { schemas }).jobs.get("job-1")).toEqual(renamed);
});

const bug = new Error("bug in a schema");
const failureWith = async (validate: () => unknown) => {
  const brand = schemaOf(validate as StandardSchema["~standard"]["validate"]);
  const client = clientOf(await listen(success({ id: "x-1" })), { schemas: { brand } });
  return rejection(client.brands.update("x-1", {}));
};
const throwBug = () => {
  throw bug;
};
// The cause is a copy, because the schema's own error may hold the value, and thus the key.
const copy = new Error("bug in a schema");

it.each<[string, () => unknown, Error?]>([
  ["throws", throwBug, copy],
  ["rejects", () => Promise.reject(bug), copy],
  ["gives nothing", () => undefined],
  ["gives a number for its issues", () => ({ issues: 7 })],
  ["gives a path of nothing", () => ({ issues: [{ message: "no", path: [null] }] })],
])("a schema that %s becomes the cause of a DecodeError", async (_, validate, cause) => {
  const error = await failureWith(validate);

  const facts = { name: "DecodeError", code: "decode", reason: "schema", issues: [] };
  expect(error).toMatchObject({ ...facts, received: { data: { id: "x-1" } } });
  expect(error.cause).toEqual(cause ?? expect.any(Error));
  expect(error.cause).not.toBe(bug);
  expect(error.message).toBe(
    `PATCH /v1/brands/x-1 answered data that your schema failed on: ${(error.cause as Error).message}` +
      "; it may have been carried out",
  );
});

it("a thousand long issues of a schema leave a small error", async () => {
  const issue = { message: "m".repeat(10_000), path: [{ key: "a" }, 1, Symbol("s")] };

  const error = await failureWith(() => ({ issues: Array(1_000).fill(issue) }));

  const { issues } = error as DecodeError;
  expect(issues).toHaveLength(10);
  for (const { path, message } of issues) {
    expect(path).toEqual(["a", 1, "Symbol(s)"]);
    expect(message).toMatch(/^m{100,499}…$/);
  }
  expect(error.message.length).toBeLessThan(1_000);
  expect(JSON.stringify(error).length).toBeLessThan(10_000);
});
