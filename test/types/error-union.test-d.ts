import type {
  AbortedError,
  AnyAdGenError,
  ApiError,
  BadRequestError,
  ConfigError,
  ConnectionError,
  DecodeError,
  DecodeReason,
  Doubt,
  ErrorCode,
  InDoubtError,
  InvalidRequestError,
  NotFoundError,
  PaymentRequiredError,
  PollTimeoutError,
  StoreError,
  TimeoutError,
  UnauthorizedError,
  UnderWayError,
} from "adgen-sdk";
import { describe, expectTypeOf, test } from "vitest";

describe("AnyAdGenError", () => {
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
