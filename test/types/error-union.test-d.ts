import {
  type AbortedError,
  type AnyAdGenError,
  type ApiError,
  type BadRequestError,
  type ConfigError,
  type ConnectionError,
  createClient,
  type DecodeError,
  type DecodeReason,
  type Doubt,
  type ErrorCode,
  type InDoubtError,
  type InvalidRequestError,
  isAdGenError,
  type NotFoundError,
  type PaymentRequiredError,
  type PollTimeoutError,
  type StoreError,
  type TimeoutError,
  toResult,
  type UnauthorizedError,
  type UnderWayError,
} from "adgen-sdk";
import { describe, expectTypeOf, test } from "vitest";

const client = createClient();

describe("AnyAdGenError", () => {
  test("has every code, and no other", () => {
    expectTypeOf<AnyAdGenError["code"]>().toEqualTypeOf<ErrorCode>();
  });

  test("can be switched on to the end: each code narrows to its class", () => {
    const handle = (error: AnyAdGenError): string => {
      switch (error.code) {
        case "bad_request":
          expectTypeOf(error).toEqualTypeOf<BadRequestError>();
          return error.supportedActions?.join() ?? "";
        case "unauthorized":
          expectTypeOf(error).toEqualTypeOf<UnauthorizedError>();
          return error.message;
        case "payment_required":
          expectTypeOf(error).toEqualTypeOf<PaymentRequiredError>();
          return error.message;
        case "not_found":
          expectTypeOf(error).toEqualTypeOf<NotFoundError>();
          return error.message;
        case "rate_limited":
        case "server_error":
        case "unexpected_status":
          expectTypeOf(error).toEqualTypeOf<ApiError>();
          return String(error.retryAfterMs);
        case "connection":
          expectTypeOf(error).toEqualTypeOf<ConnectionError>();
          return String(error.cause);
        case "timeout":
          expectTypeOf(error).toEqualTypeOf<TimeoutError>();
          return error.message;
        case "aborted":
          expectTypeOf(error).toEqualTypeOf<AbortedError>();
          return error.message;
        case "decode":
          expectTypeOf(error).toEqualTypeOf<DecodeError>();
          expectTypeOf(error.reason).toEqualTypeOf<DecodeReason>();
          return error.issues.map(({ message }) => message).join();
        case "invalid_request":
          expectTypeOf(error).toEqualTypeOf<InvalidRequestError>();
          return error.message;
        case "config":
          expectTypeOf(error).toEqualTypeOf<ConfigError>();
          return error.message;
        case "store":
          expectTypeOf(error).toEqualTypeOf<StoreError>();
          return String(error.cause);
        case "in_doubt":
          expectTypeOf(error).toEqualTypeOf<InDoubtError>();
          expectTypeOf(error.doubt).toEqualTypeOf<Doubt>();
          return error.doubt.token;
        case "under_way":
          expectTypeOf(error).toEqualTypeOf<UnderWayError>();
          return String(error.retryAfterMs);
        case "poll_timeout":
          expectTypeOf(error).toEqualTypeOf<PollTimeoutError>();
          return String(error.lastJob?.["status"]);
        default:
          expectTypeOf(error).toBeNever();
          return error;
      }
    };
    expectTypeOf(handle).toBeFunction();
  });

  test("tells the fields of one class only after a check of the code", () => {
    const handle = (error: AnyAdGenError) => {
      // @ts-expect-error: not every error has issues
      error.issues;
      // @ts-expect-error: not every error has supported actions
      error.supportedActions;
      if (error.code === "rate_limited") return;
      expectTypeOf<Exclude<ErrorCode, "rate_limited">>().toExtend<ErrorCode>();
    };
    expectTypeOf(handle).toBeFunction();
  });
});

describe("a check of the code narrows", () => {
  test("isAdGenError narrows to the error of the code", () => {
    const handle = (caught: unknown) => {
      if (isAdGenError(caught) && caught.code === "bad_request") {
        expectTypeOf(caught.supportedActions).toEqualTypeOf<readonly string[] | undefined>();
      }
      if (isAdGenError(caught) && caught.code === "decode") {
        expectTypeOf(caught.issues[0]?.message).toEqualTypeOf<string | undefined>();
        expectTypeOf(caught.contentType).toEqualTypeOf<string | undefined>();
      }
    };
    expectTypeOf(handle).toBeFunction();
  });

  test("the error of a Result", async () => {
    const result = await toResult(client.jobs.submit({ action: "generate-ad" }));
    if (result.ok) return;
    if (result.error.code === "bad_request") {
      expectTypeOf(result.error).toEqualTypeOf<BadRequestError>();
    }
    const { error } = result;
    if (error.code === "decode") expectTypeOf(error.reason).toEqualTypeOf<DecodeReason>();
  });
});
