import { describe, expect, it } from "vitest";
import { failure, raw, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { listen } from "../helpers/http-server.ts";
import { checkBaseUrl } from "../helpers/stranger.ts";

describe("the service's text", () => {
  it("is in the message of the error", async () => {
    const server = await listen(failure(400, "prompt is too long"));

    expect((await rejection(clientOf(server).jobs.submit(paidJob))).message).toBe(
      "POST /v1/jobs answered 400: prompt is too long",
    );
  });

  it("is bounded, be it a megabyte", async () => {
    const server = await listen(failure(500, "x".repeat(1_000_000)));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error).toMatchObject({ status: 500, outcome: "unknown" });
    // 500 characters with the sign that the text goes on.
    expect(error.message.match(/x+…/)?.[0]).toHaveLength(500);
    expect(error.message.length).toBeLessThan(700);
    expect(error.message.endsWith(`x…${doubtOfSubmission}`)).toBe(true);
  });

  it("is left out as a page of a megabyte, with the real status", async () => {
    const page = `<html>${"<p>Bad Gateway</p>".repeat(60_000)}</html>`;
    const server = await listen(raw(502, page, { "content-type": "text/html" }));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error).toMatchObject({ name: "ApiError", code: "server_error", status: 502 });
    expect(error.message).toBe(`POST /v1/jobs answered 502${doubtOfSubmission}`);
    expect(error.stack?.length).toBeLessThan(5_000);
  });

  it.each([
    ["null", null],
    ["a number", 7],
    ["an object", { message: "no" }],
    ["a list", ["no"]],
    ["an empty text", ""],
  ])("is left out when it is %s", async (_, said) => {
    const server = await listen(failure(400, said));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "bad_request", outcome: "refused" });
    expect(error.message).toBe("POST /v1/jobs answered 400");
  });

  it.each([
    ["no envelope", { message: "no" }],
    ["null", null],
    ["a list", []],
    ["a text", "no"],
  ])("is left out of an answer that is JSON, but %s", async (_, body) => {
    const server = await listen(raw(404, JSON.stringify(body)));

    expect((await rejection(clientOf(server).jobs.get("j"))).message).toBe(
      `GET /v1/jobs/j answered 404, not in the service's form${checkBaseUrl(server.url)}`,
    );
  });

  it("stands on one line, without control characters", async () => {
    const said = "a\r\nERROR forged\tline\u0000\u001b[31m\u0085\u009b\u2028\u2029end";
    const server = await listen(failure(400, said));

    const { message } = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(message).toBe("POST /v1/jobs answered 400: a ERROR forged line [31m end");
  });

  it("is bounded and on one line as a request id", async () => {
    const server = await listen(
      failure(500, "no", { "x-request-id": "r".repeat(8_000) }),
      failure(500, "no", { "x-request-id": "a\tb" }),
      failure(500, "no", { "x-request-id": "" }),
    );
    const ids: unknown[] = [];
    for (let n = 0; n < 3; n++) {
      ids.push((await rejection(clientOf(server).jobs.submit(paidJob))).requestId);
    }

    expect(ids).toEqual([`${"r".repeat(499)}…`, "a b", undefined]);
  });
});

describe("a schema's text about an answer", () => {
  /** A schema that repeats what it was given, as some libraries do. */
  const repeating = (path: PropertyKey[]) => ({
    "~standard": {
      version: 1 as const,
      vendor: "test",
      validate: (value: unknown) => {
        const message = `Expected number but received ${JSON.stringify(value)}\n`;
        return { issues: Array.from({ length: 1_000 }, () => ({ message, path })) };
      },
    },
  });

  it("is bounded", async () => {
    const server = await listen(success({ id: "b", x: "x".repeat(1_000_000) }));
    const client = clientOf(server, { schemas: { brand: repeating(["k".repeat(1_000_000)]) } });

    const error = await rejection(client.brands.create({ name: "a" }));

    expect(error).toMatchObject({ name: "DecodeError", outcome: "unknown" });
    expect(error.message.length).toBeLessThan(700);
    expect(JSON.stringify(error).length).toBeLessThan(20_000);
    expect((error as unknown as { issues: unknown[] }).issues).toHaveLength(10);
  });

  it("stands on one line", async () => {
    const server = await listen(success({ id: "b", x: "a\r\nb\u001b[31m" }));
    const client = clientOf(server, { schemas: { brand: repeating(["a\nb"]) } });

    const { message } = await rejection(client.brands.create({ name: "a" }));

    expect(message).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
  });
});
