import {
  type AbortedError,
  type AdGenError,
  type AnyAdGenError,
  type ApiError,
  type BadRequestError,
  type ClientErrorCode,
  type ConfigError,
  type ConnectionError,
  createClient,
  DecodeError,
  type DecodeReason,
  type Doubt,
  type ErrorCode,
  type InDoubtError,
  type InvalidRequestError,
  isAdGenError,
  type NotFoundError,
  type Outcome,
  PaymentRequiredError,
  type PollTimeoutError,
  type Result,
  type ServiceErrorCode,
  type StoreError,
  type SubmittedJob,
  type TimeoutError,
  toResult,
  type UnauthorizedError,
  type UnderWayError,
} from "adgen-sdk";
import { describe, expectTypeOf, test } from "vitest";

const client = createClient();

describe("an error", () => {
  test("can be switched on to the end: each code narrows to its class", () => {
    const narrow = (error: AnyAdGenError) => {
      switch (error.code) {
        case "bad_request":
          expectTypeOf(error.supportedActions).toEqualTypeOf<readonly string[] | undefined>();
          return expectTypeOf(error).toEqualTypeOf<BadRequestError>();
        case "unauthorized":
          return expectTypeOf(error).toEqualTypeOf<UnauthorizedError>();
        case "payment_required":
          return expectTypeOf(error).toEqualTypeOf<PaymentRequiredError>();
        case "not_found":
          return expectTypeOf(error).toEqualTypeOf<NotFoundError>();
        case "rate_limited":
        case "server_error":
        case "unexpected_status":
          return expectTypeOf(error).toEqualTypeOf<ApiError>();
        case "connection":
          return expectTypeOf(error).toEqualTypeOf<ConnectionError>();
        case "timeout":
          return expectTypeOf(error).toEqualTypeOf<TimeoutError>();
        case "aborted":
          return expectTypeOf(error).toEqualTypeOf<AbortedError>();
        case "decode":
          expectTypeOf(error.reason).toEqualTypeOf<DecodeReason>();
          expectTypeOf(error.issues[0]?.message).toEqualTypeOf<string | undefined>();
          return expectTypeOf(error).toEqualTypeOf<DecodeError>();
        case "invalid_request":
          return expectTypeOf(error).toEqualTypeOf<InvalidRequestError>();
        case "config":
          return expectTypeOf(error).toEqualTypeOf<ConfigError>();
        case "store":
          return expectTypeOf(error).toEqualTypeOf<StoreError>();
        case "in_doubt":
          expectTypeOf(error.doubt).toEqualTypeOf<Doubt>();
          return expectTypeOf(error).toEqualTypeOf<InDoubtError>();
        case "under_way":
          return expectTypeOf(error).toEqualTypeOf<UnderWayError>();
        case "poll_timeout":
          expectTypeOf(error.lastJob?.["status"]).toBeUnknown();
          return expectTypeOf(error).toEqualTypeOf<PollTimeoutError>();
        default:
          return expectTypeOf(error).toBeNever();
      }
    };
    expectTypeOf(narrow).toBeFunction();
  });

  test("has the fields of one class only after a check of the code, which has a closed list", () => {
    const check = (error: AnyAdGenError) => {
      // @ts-expect-error: not every error has issues
      error.issues;
      // @ts-expect-error: not every error has supported actions
      error.supportedActions;
      // @ts-expect-error: misspelt
      if ((error as AdGenError).code === "payment-required") return;
    };
    expectTypeOf(check).toBeFunction();
    expectTypeOf<ErrorCode>().toEqualTypeOf<ServiceErrorCode | ClientErrorCode>();
    expectTypeOf<AnyAdGenError["code"]>().toEqualTypeOf<ErrorCode>();
  });

  test("that was caught narrows by isAdGenError, and by its class", () => {
    const handle = (caught: unknown) => {
      if (caught instanceof PaymentRequiredError) {
        expectTypeOf(caught.code).toEqualTypeOf<"payment_required">();
      } else if (caught instanceof DecodeError) {
        type Path = readonly (string | number)[];
        expectTypeOf(caught.issues[0]?.path).toEqualTypeOf<Path | undefined>();
      }
      if (!isAdGenError(caught)) return;
      expectTypeOf(caught).toExtend<AnyAdGenError>();
      expectTypeOf(caught.outcome).toEqualTypeOf<Outcome | undefined>();
      expectTypeOf(caught.jobId).toEqualTypeOf<string | undefined>();
      expectTypeOf(caught.retryAfterMs).toEqualTypeOf<number | undefined>();
    };
    expectTypeOf(handle).toBeFunction();
    expectTypeOf(isAdGenError).guards.toEqualTypeOf<AnyAdGenError>();
  });
});

test("a Result narrows on `ok`, and on its error where it is taken apart", async () => {
  type Job = SubmittedJob<"generate-ad">;
  const result = await toResult(client.jobs.submit({ action: "generate-ad" }));
  expectTypeOf(result).toEqualTypeOf<Result<Job>>();
  if (result.ok) {
    expectTypeOf(result.data).toEqualTypeOf<Job>();
    expectTypeOf(result.error).toBeUndefined();
  } else {
    expectTypeOf(result.error).toEqualTypeOf<AnyAdGenError>();
    expectTypeOf(result.data).toBeUndefined();
  }
  const { data, error } = await toResult(client.jobs.get("job_1"));
  if (error === undefined) expectTypeOf(data.job_id).toBeString();
});
