import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { AdGenError, createClient, isAdGenError } from "../../src/index.ts";
import { failure, raw, reset, silence, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const json = { "content-type": "application/json; charset=utf-8" };
const html = { "content-type": "text/html; charset=utf-8" };

const failed = async (answer: Answer, options = {}) =>
  rejection(clientOf(await listen(answer), { maxRetries: 0, ...options }).jobs.get("j"));

describe("contentType", () => {
  it.each<[string, Answer, string]>([
    ["a page", raw(200, "<html>", html), "text/html"],
    ["a page of a 404", raw(404, "<html>", html), "text/html"],
    ["a page of a 503", raw(503, "<html>", html), "text/html"],
    ["JSON of another service", raw(403, '{"detail":"no"}', json), "application/json"],
    ["an answer that names no type", raw(401, "no"), ""],
  ])("tells what stands in the envelope's place: %s", async (_, answer, contentType) => {
    expect(await failed(answer)).toMatchObject({ contentType });
  });

  it.each<[string, Answer]>([
    ["a failure in the envelope", failure(404)],
    ["a success of another form of data", success({ status: 1 })],
    ["a connection that broke", reset],
  ])("is missing with %s", async (_, answer) => {
    expect(await failed(answer)).not.toHaveProperty("contentType");
  });
});

describe("reason", () => {
  it.each<[string, Answer, object?]>([
    ["too-large", success({ status: "queued" }), { maxResponseBytes: 5 }],
    ["not-json", raw(200, "<html>")],
    ["envelope", raw(200, "{}")],
    ["data", success({})],
    ["data", success({ job_id: "other", status: "queued" })],
  ])("of an answer that cannot be used is %s", async (reason, answer, options) => {
    expect(await failed(answer, options)).toMatchObject({ code: "decode", reason });
  });

  it("is schema where it does not fit the caller's", async () => {
    const validate = () => ({ issues: [{ message: "no" }] });
    const brand = { "~standard": { version: 1 as const, vendor: "test", validate } };
    const server = await listen(success({ id: "b" }));

    const error = await rejection(clientOf(server, { schemas: { brand } }).brands.update("b", {}));

    expect(error).toMatchObject({ code: "decode", reason: "schema" });
  });
});

describe("lastJob and received", () => {
  const job = { job_id: "other", status: "queued", echo: `Bearer ${testKey}` };

  it("are read by getters of the class, which no printer follows", async () => {
    const error = await failed(success(job));

    expect(error.received).toEqual({ success: true, data: job, error: null });
    for (const name of ["lastJob", "received"]) {
      expect(Object.hasOwn(error, name)).toBe(false);
      expect(Object.getOwnPropertyDescriptor(AdGenError.prototype, name)?.get).toBeDefined();
    }
    for (const options of [{ showHidden: true }, { getters: true }]) {
      expect(inspect(error, { ...options, depth: 9 })).not.toContain(testKey);
    }
    expect(JSON.stringify(error)).not.toContain(testKey);
  });

  it("are undefined where there is none", async () => {
    const error = await failed(raw(404, "<html>"));

    expect([error.lastJob, error.received]).toEqual([undefined, undefined]);
  });
});

describe("the stack of an error", () => {
  const framesOf = (error: unknown): string[] => (error as Error).stack?.split("\n") ?? [];

  it.each<[string, Answer, object?]>([
    ["an answer", failure(402)],
    ["a broken connection", reset],
    ["a time that ran out", silence, { timeoutMs: 30 }],
    ["an answer of no use", raw(202, "<html>")],
  ])("shows who made the call: %s", async (_, answer, options) => {
    const server = await listen(answer);
    const { jobs } = clientOf(server);
    const makeCallHere = async (): Promise<void> => {
      await jobs.submit(paidJob, options);
    };

    const error = await makeCallHere().catch((thrown) => thrown);

    expect(isAdGenError(error)).toBe(true);
    expect(framesOf(error).some((frame) => frame.includes("makeCallHere"))).toBe(true);
  });

  it("shows who made the client", () => {
    const makeClientHere = () => createClient({ baseUrl: "ftp://ads.test", apiKey: "ak-1" });
    let error: unknown;
    try {
      makeClientHere();
    } catch (thrown) {
      error = thrown;
    }

    expect(framesOf(error).some((frame) => frame.includes("makeClientHere"))).toBe(true);
  });
});
