import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/index.ts";
import { success } from "../helpers/answers.ts";
import { rejection, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

/** Three libraries, one meaning. */
const brandSchemas = {
  zod: z.object({ id: z.string(), size: z.number() }),
  valibot: v.looseObject({ id: v.string(), size: v.number() }),
  arktype: type({ id: "string", size: "number" }),
};

describe.each(Object.entries(brandSchemas))("a schema of %s", (_, brand) => {
  it("accepts a value that fits, and refuses one that does not", async () => {
    const server = await listen(
      success({ id: "b", size: 1 }),
      success({ brands: [{ id: "b", size: 1 }] }),
      success({ brands: [{ id: "a", size: 1 }, { id: "b" }] }),
    );
    const client = createClient({ baseUrl: server.url, apiKey: testKey, schemas: { brand } });

    expect(await client.brands.create({ name: "a" })).toMatchObject({ id: "b", size: 1 });
    expect((await client.brands.list()).items).toMatchObject([{ id: "b", size: 1 }]);
    const error = await rejection(client.brands.list());
    expect(error).toMatchObject({
      name: "DecodeError",
      received: { success: true },
      issues: [{ path: ["brands", 1, "size"] }],
    });
    expect(error.message).toContain("brands.1.size");
  });
});

describe("a schema for results", () => {
  const results = {
    "generate-ad": z.object({ images: z.array(z.object({ url: z.string() })) }),
  };
  const unfit = { status: "completed", result: { images: [{ href: "u" }] } };

  const listenFor = async (...answers: Answer[]) => {
    const server = await listen(...answers);
    return createClient({ baseUrl: server.url, apiKey: testKey, schemas: { results } });
  };

  it("checks the result of a job that says its action, or is said to have it", async () => {
    const client = await listenFor(success({ ...unfit, action: "generate-ad" }), success(unfit));

    expect((await rejection(client.jobs.get("j"))).code).toBe("decode");
    const ref = { job_id: "j", action: "generate-ad" } as const;
    expect((await rejection(client.jobs.get(ref))).code).toBe("decode");
  });

  it("leaves alone jobs of other actions, and jobs that have not completed", async () => {
    const client = await listenFor(
      success({ ...unfit, action: "edit-ad" }),
      success({ ...unfit, action: "toString" }),
      success({ ...unfit, action: "generate-ad", status: "processing" }),
      success({ status: "failed", action: "generate-ad", error: "no" }),
    );
    const statuses: string[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await client.jobs.get("j")).status);

    expect(statuses).toEqual(["completed", "completed", "processing", "failed"]);
  });

  it("gives the schema's output for the result", async () => {
    const server = await listen(success({ ...unfit, action: "edit-ad" }));
    const client = createClient({
      baseUrl: server.url,
      apiKey: testKey,
      schemas: { results: { "edit-ad": z.unknown().transform(() => "made") } },
    });

    expect(await client.jobs.get("j")).toMatchObject({ result: "made" });
  });
});

describe("a schema that breaks", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("a bug in the schema");
      },
    ],
    ["rejects", () => Promise.reject(new Error("a bug in the schema"))],
  ])("because it %s fails the call as its cause, and loses nothing", async (_, validate) => {
    const server = await listen(success({ id: "b", cost: 1 }));
    const brand = { "~standard": { version: 1, vendor: "test", validate } } as const;
    const client = createClient({ baseUrl: server.url, apiKey: testKey, schemas: { brand } });

    expect(await rejection(client.brands.create({ name: "a" }))).toMatchObject({
      name: "DecodeError",
      outcome: "unknown",
      cause: { message: "a bug in the schema" },
      received: { data: { id: "b", cost: 1 } },
    });
  });

  it("because it is none is refused with the client's options", () => {
    const schemas = { results: { "edit-ad": { parse: () => 1 } } };
    const create = () => createClient({ baseUrl: "http://a.test", schemas: schemas as never });

    expect(create).toThrow(expect.objectContaining({ code: "config" }));
  });
});
