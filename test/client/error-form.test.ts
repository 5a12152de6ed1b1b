import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { AdGenError, createClient, DecodeError } from "../../src/index.ts";
import { failure, raw, reset, silence, success } from "../helpers/answers.ts";
import { failing, get, submit } from "../helpers/calls.ts";
import { clientOf, paidJob, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

describe("the JSON of an error", () => {
  it("is small and stable, and the same inside something else", async () => {
    const headers = { "retry-after": "3600", "x-request-id": "req-1" };
    const { error } = await failing(failure(429, "slow down", headers), submit);

    const form = {
      name: "ApiError",
      message: "POST /v1/jobs answered 429: slow down; try again in 3600 s",
      code: "rate_limited",
      method: "POST",
      path: "/v1/jobs",
      status: 429,
      requestId: "req-1",
      retryAfterMs: 3_600_000,
      outcome: "refused",
      action: "generate-ad",
      attempts: 1,
      elapsedMs: error.elapsedMs,
    };
    expect(JSON.parse(JSON.stringify({ error, list: [error] }))).toEqual({
      error: form,
      list: [form],
    });
  });

  it("never throws for any value in the error", () => {
    const circle: Record<string, unknown> = { big: 1n };
    circle["self"] = circle;
    const fields = { cause: circle, received: circle, lastJob: circle };
    const error = new DecodeError("decode", "no", fields);

    expect(JSON.stringify(error)).toBe('{"name":"DecodeError","message":"no","code":"decode"}');
    expect(error.cause).toBe(circle);
  });
});

describe("an error as it is printed", () => {
  it("begins with its name and message, and shows its cause", async () => {
    const { error } = await failing(reset, submit);
    const printed = inspect(error);

    expect(error.stack?.split("\n")[0]).toBe(`ConnectionError: ${error.message}`);
    expect(printed).toContain("outcome: 'unknown'");
    expect(printed).toContain("the job may exist and be charged");
    expect(printed).toContain("[cause]");
    expect(printed.length).toBeLessThan(5_000);
  });

  it("holds neither the last job nor the answer: getters of the class read them", async () => {
    const huge = "x".repeat(10_000);
    const job = { job_id: "other", status: "queued", echo: `Bearer ${testKey}`, huge };
    const { error } = await failing(success(job), get);

    expect(error.received).toEqual({ success: true, data: job, error: null });
    for (const name of ["lastJob", "received"]) {
      expect(Object.hasOwn(error, name)).toBe(false);
      expect(Object.getOwnPropertyDescriptor(AdGenError.prototype, name)?.get).toBeDefined();
    }
    for (const options of [{ showHidden: true }, { getters: true }]) {
      const printed = inspect(error, { ...options, depth: 10 });
      expect(printed).not.toContain(testKey);
      expect(printed).not.toContain("xxx");
    }
    const text = JSON.stringify(error);
    expect(text).not.toMatch(/xxx|stack|Bearer/);
    expect(text.length).toBeLessThan(1_000);
  });
});

describe("the stack of an error", () => {
  it.each<[string, Answer, object?]>([
    ["an answer", failure(402)],
    ["a broken connection", reset],
    ["a time that ran out", silence, { timeoutMs: 30 }],
    ["an answer of no use", raw(202, "<html>")],
  ])("shows who made the call: %s", async (_, answer, options) => {
    const server = await listen(answer);
    const { jobs } = clientOf(server, { maxRetries: 0 });
    const submitHere = async () => void (await jobs.submit(paidJob, options));
    const readHere = async () => void (await jobs.get("j", options));

    for (const call of [submitHere, readHere]) {
      const error: unknown = await call().catch((thrown) => thrown);

      expect(error).toBeInstanceOf(AdGenError);
      expect((error as Error).stack).toMatch(new RegExp(`\\n.* ${call.name} `));
    }
  });

  it("shows who made the client", async () => {
    const makeClientHere = () => createClient({ baseUrl: "ftp://ads.test", apiKey: "ak-1" });
    const error = await Promise.resolve()
      .then(() => makeClientHere())
      .catch((thrown) => thrown);
    expect((error as Error).stack).toMatch(/\n.* makeClientHere /);
  });
});
