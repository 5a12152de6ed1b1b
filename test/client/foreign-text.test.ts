import { describe, expect, it } from "vitest";
import { failure, raw, success } from "../helpers/answers.ts";
import { createBrand, failing, get, schemaOf, submit } from "../helpers/calls.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { checkBaseUrl } from "../helpers/stranger.ts";

describe("the service's text", () => {
  it.each([
    ["is in the message", "prompt is too long", ": prompt is too long"],
    [
      "stands on one line, without control characters",
      "a\r\nERROR forged\tline\u0000\u001b[31m\u0085\u009b\u2028\u2029end",
      ": a ERROR forged line [31m end",
    ],
    [
      "is cut after 500 characters, be it a megabyte",
      "x".repeat(1_000_000),
      `: ${"x".repeat(499)}…`,
    ],
    ["is whole with 500 characters", "x".repeat(500), `: ${"x".repeat(500)}`],
    ["is left out when it is null", null, ""],
    ["is left out when it is a number", 7, ""],
    ["is left out when it is an object", { message: "no" }, ""],
    ["is left out when it is a list", ["no"], ""],
    ["is left out when it is an empty text", "", ""],
  ])("%s", async (_, said, shown) => {
    const { error } = await failing(failure(400, said), submit);
    expect(error).toMatchObject({ code: "bad_request", outcome: "refused" });
    expect(error.message).toBe(`POST /v1/jobs answered 400${shown}`);
  });

  it("is left out as a page of a megabyte, with the real status", async () => {
    const page = `<html>${"<p>Bad Gateway</p>".repeat(60_000)}</html>`;
    const { error } = await failing(raw(502, page, { "content-type": "text/html" }), submit);
    expect(error).toMatchObject({ name: "ApiError", code: "server_error", status: 502 });
    expect(error.message).toBe(`POST /v1/jobs answered 502${doubtOfSubmission}`);
    expect(error.stack?.length).toBeLessThan(5_000);
  });

  it.each([{ message: "no" }, null, [], "no"])(
    "is left out of an answer that is JSON, but no envelope: %j",
    async (body) => {
      const { error, url } = await failing(raw(404, JSON.stringify(body)), get);
      expect(error.message).toBe(
        `GET /v1/jobs/j answered 404, not in the service's form${checkBaseUrl(url)}`,
      );
    },
  );

  it.each([
    ["r".repeat(8_000), `${"r".repeat(499)}…`],
    ["a\tb", "a b"],
    ["", undefined],
  ])("is bounded and on one line as a request id: %s", async (id, shown) => {
    const { error } = await failing(failure(500, "no", { "x-request-id": id }), submit);
    expect(error.requestId).toBe(shown);
  });

  it("is the request id of the header request-id too", async () => {
    const { error } = await failing(failure(500, "no", { "request-id": "req-1" }), submit);
    expect(error.requestId).toBe("req-1");
  });
});

describe("a schema's text about an answer", () => {
  /** A schema that repeats what it was given, as some libraries do. */
  const repeating = (path: PropertyKey[]) =>
    schemaOf((value) => {
      const message = `Expected number but received ${JSON.stringify(value)}\n`;
      return { issues: Array.from({ length: 1_000 }, () => ({ message, path })) };
    });

  it("is bounded, and stands on one line", async () => {
    const answer = success({ id: "b", x: `a\r\nb\u001b[31m${"x".repeat(1_000_000)}` });
    const schemas = { brand: repeating([`a\nb${"k".repeat(1_000_000)}`]) };

    const { error } = await failing(answer, createBrand, { schemas });

    expect(error).toMatchObject({ name: "DecodeError", outcome: "unknown" });
    expect(error.message.length).toBeLessThan(700);
    expect(error.message).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    expect(JSON.stringify(error).length).toBeLessThan(20_000);
    expect(error).toHaveProperty("issues.length", 10);
  });
});
