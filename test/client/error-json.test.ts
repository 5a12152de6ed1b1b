import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { AdGenError, DecodeError } from "../../src/index.ts";
import { failure, reset, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

describe("the JSON of an error", () => {
  it("is small and stable", async () => {
    const server = await listen(
      failure(429, "slow down", { "retry-after": "3600", "x-request-id": "req-1" }),
    );

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(JSON.parse(JSON.stringify(error))).toEqual({
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
    });
  });

  it("holds no cause, no stack, no job and no answer", async () => {
    const server = await listen(success({ job_id: "j", status: { huge: "x".repeat(10_000) } }));

    const error = await rejection(clientOf(server).jobs.get("j"));
    const text = JSON.stringify(error);

    expect(error).toHaveProperty("received.data.status.huge");
    expect(text).not.toContain("xxx");
    expect(text).not.toContain("stack");
    expect(text.length).toBeLessThan(1_000);
    expect(inspect(error, { showHidden: true, depth: 10 })).not.toContain("xxx");
  });

  it("never throws for any value in the error", () => {
    const circle: Record<string, unknown> = { big: 1n };
    circle["self"] = circle;
    const error = new DecodeError("decode", "no", {
      cause: circle,
      received: circle,
      lastJob: circle,
    });

    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: "DecodeError",
      message: "no",
      code: "decode",
    });
    expect(error.cause).toBe(circle);
  });

  it("is the same inside something else", () => {
    const error = new AdGenError("config", "no");

    expect(JSON.stringify({ error, list: [error] })).toBe(
      '{"error":{"name":"AdGenError","message":"no","code":"config"},' +
        '"list":[{"name":"AdGenError","message":"no","code":"config"}]}',
    );
  });
});

describe("an error as it is printed", () => {
  it("begins with its name and message, and shows its cause", async () => {
    const server = await listen(reset);

    const error = await rejection(clientOf(server).jobs.submit(paidJob));
    const printed = inspect(error);

    expect(error.stack?.split("\n")[0]).toBe(`ConnectionError: ${error.message}`);
    expect(printed).toContain("outcome: 'unknown'");
    expect(printed).toContain("the job may exist and be charged");
    expect(printed).toContain("[cause]");
    expect(printed.length).toBeLessThan(5_000);
  });
});
