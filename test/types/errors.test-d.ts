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
  test("narrows by its code, which has a closed list, to one class", () => {
    interface Classes {
      bad_request: BadRequestError;
      unauthorized: UnauthorizedError;
      payment_required: PaymentRequiredError;
      not_found: NotFoundError;
      rate_limited: ApiError;
      server_error: ApiError;
      unexpected_status: ApiError;
      connection: ConnectionError;
      timeout: TimeoutError;
      aborted: AbortedError;
      decode: DecodeError;
      invalid_request: InvalidRequestError;
      config: ConfigError;
      store: StoreError;
      in_doubt: InDoubtError;
      under_way: UnderWayError;
      poll_timeout: PollTimeoutError;
    }
    type Misplaced = {
      [Code in ErrorCode]: Code extends Classes[Code]["code"] ? never : Code;
    }[ErrorCode];
    expectTypeOf<keyof Classes>().toEqualTypeOf<ErrorCode>();
    expectTypeOf<ErrorCode>().toEqualTypeOf<ServiceErrorCode | ClientErrorCode>();
    expectTypeOf<Classes[ErrorCode]>().toEqualTypeOf<AnyAdGenError>();
    expectTypeOf<Misplaced>().toBeNever();
    const read = (error: AnyAdGenError) => {
      if (error.code === "decode") return expectTypeOf(error.reason).toEqualTypeOf<DecodeReason>();
      if (error.code === "in_doubt") return expectTypeOf(error.doubt).toEqualTypeOf<Doubt>();
      if (error.code === "poll_timeout") expectTypeOf(error.lastJob?.["status"]).toBeUnknown();
    };
    expectTypeOf(read).toBeFunction();
  });

  test("has the fields of one class only after a check of the code", () => {
    const check = (error: AnyAdGenError) => {
      // @ts-expect-error: not every error has issues
      error.issues;
      // @ts-expect-error: not every error has supported actions
      error.supportedActions;
      // @ts-expect-error: misspelt
      if ((error as AdGenError).code === "payment-required") return;
    };
    expectTypeOf(check).toBeFunction();
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
