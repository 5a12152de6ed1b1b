import { describe, expect, it } from "vitest";
import {
  AbortedError,
  AdGenError,
  ApiError,
  actions,
  BadRequestError,
  ConfigError,
  ConnectionError,
  createClient,
  DecodeError,
  InDoubtError,
  InvalidRequestError,
  isAdGenError,
  NotFoundError,
  PaymentRequiredError,
  PollTimeoutError,
  StoreError,
  TimeoutError,
  toResult,
  UnauthorizedError,
  UnderWayError,
} from "../../src/index.ts";
import { failure, queued, raw, reset, silence } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const classes = {
  BadRequestError,
  UnauthorizedError,
  PaymentRequiredError,
  NotFoundError,
  ApiError,
  ConnectionError,
  TimeoutError,
  AbortError: AbortedError,
  DecodeError,
  InvalidRequestError,
  ConfigError,
  InDoubtError,
  PollTimeoutError,
  StoreError,
  UnderWayError,
};

/** Checks that it is an instance of its own class and of the family's, and of no other. */
const expectKind = (error: unknown, name: keyof typeof classes): void => {
  expect(error).toBeInstanceOf(Error);
  expect(error).toBeInstanceOf(AdGenError);
  expect(isAdGenError(error)).toBe(true);
  expect((error as Error).name).toBe(name);
  const names = Object.entries(classes).filter(([, kind]) => error instanceof kind);
  expect(names.map(([kind]) => kind)).toEqual([name]);
};

const byStatus: [number, keyof typeof classes, string][] = [
  [400, "BadRequestError", "bad_request"],
  [401, "UnauthorizedError", "unauthorized"],
  [402, "PaymentRequiredError", "payment_required"],
  [403, "ApiError", "unexpected_status"],
  [404, "NotFoundError", "not_found"],
  [409, "ApiError", "unexpected_status"],
  [410, "ApiError", "unexpected_status"],
  [422, "ApiError", "unexpected_status"],
  [429, "ApiError", "rate_limited"],
  [301, "ApiError", "unexpected_status"],
  [500, "ApiError", "server_error"],
  [503, "ApiError", "server_error"],
  [599, "ApiError", "server_error"],
];

describe("an error", () => {
  it.each(byStatus)("after a %i is a %s with the code %s", async (status, name, code) => {
    const server = await listen(failure(status, "no", { "x-request-id": "req-1" }));

    const error = await rejection(clientOf(server, { maxRetries: 0 }).jobs.get("j"));

    expectKind(error, name);
    expect(error).toMatchObject({
      code,
      status,
      method: "GET",
      path: "/v1/jobs/j",
      jobId: "j",
      requestId: "req-1",
      attempts: 1,
      elapsedMs: expect.any(Number),
    });
  });

  it("of this side has its own class too", async () => {
    const server = await listen(reset, silence, raw(202, ""), queued());
    const { jobs } = clientOf(server);

    expectKind(await rejection(jobs.submit(paidJob)), "ConnectionError");
    expectKind(await rejection(jobs.submit(paidJob, { timeoutMs: 40 })), "TimeoutError");
    expectKind(await rejection(jobs.submit(paidJob)), "DecodeError");
    expectKind(await rejection(jobs.get("..")), "InvalidRequestError");
    expectKind(await rejection(jobs.get("j", { signal: AbortSignal.abort() })), "AbortError");
    expectKind(
      await rejection(Promise.resolve().then(() => createClient({ baseUrl: "ftp://a" }))),
      "ConfigError",
    );
    expectKind(new StoreError("store", "full"), "StoreError");
    expectKind(new InDoubtError("in_doubt", "lost"), "InDoubtError");
    expectKind(new UnderWayError("under_way", "elsewhere"), "UnderWayError");
    expectKind(new PollTimeoutError("poll_timeout", "late"), "PollTimeoutError");
  });

  it("carries known facts only", async () => {
    const error = await rejection(clientOf({ url: "http://127.0.0.1:1" }).brands.list());

    expect(Object.keys(error)).not.toContain("status");
    expect(Object.keys(error)).not.toContain("requestId");
    expect(Object.keys(error)).not.toContain("jobId");
    expect(Object.keys(error)).not.toContain("outcome");
    expect(Object.values(error)).not.toContain(undefined);
  });

  it("lists the actions that the service supports, by its documented message", async () => {
    const message =
      "Invalid action. Supported: copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, " +
      "image-a-pro, video-a-2, video-a-2-pro, video-b-3-0";
    const server = await listen(failure(400, message));

    const error = await rejection(clientOf(server).jobs.submit({ ...paidJob }));

    if (!(error instanceof BadRequestError)) throw error;
    expect(error.supportedActions).toEqual([...actions]);
    expect(error.message).toBe(`POST /v1/jobs answered 400: ${message}`);
  });

  it("lists actions that did not exist when this was written", async () => {
    const server = await listen(failure(400, "Invalid action. Supported: a, b"));

    expect(await rejection(clientOf(server).jobs.submit(paidJob))).toMatchObject({
      supportedActions: ["a", "b"],
    });
  });

  it.each([
    [400, "variations must be at most 10"],
    [402, "Invalid action. Supported: a, b"],
    [500, "Invalid action. Supported: a, b"],
  ])("of another kind (%i, %s) lists none", async (status, message) => {
    const server = await listen(failure(status, message));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error).not.toHaveProperty("supportedActions");
  });
});

describe("toResult", () => {
  it("gives the data, or the error", async () => {
    const server = await listen(queued(), failure(402, "no credits"));
    const { jobs } = clientOf(server);

    const good = await toResult(jobs.submit(paidJob));
    const bad = await toResult(jobs.submit(paidJob));

    expect(good).toEqual({ ok: true, data: { job_id: "job-1", status: "queued" } });
    expect(bad.ok).toBe(false);
    expectKind(bad.error, "PaymentRequiredError");
  });

  it("rejects with errors of other libraries", async () => {
    const bug = new TypeError("a bug");

    await expect(toResult(Promise.reject(bug))).rejects.toBe(bug);
    await expect(toResult(Promise.reject(undefined))).rejects.toBeUndefined();
  });
});
