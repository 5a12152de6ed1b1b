import {
  AbortedError,
  type AdGenError,
  type AnyAdGenError,
  type ClientErrorCode,
  createClient,
  DecodeError,
  type ErrorCode,
  isAdGenError,
  type Outcome,
  PaymentRequiredError,
  type Result,
  type ServiceErrorCode,
  type SubmittedJob,
  toResult,
} from "adgen-sdk";
import { describe, expectTypeOf, test } from "vitest";

const client = createClient();

describe("an error's code", () => {
  test("comes from a closed list", () => {
    expectTypeOf<ErrorCode>().toEqualTypeOf<ServiceErrorCode | ClientErrorCode>();
    // The switch over AnyAdGenError names each of them.
    expectTypeOf<AnyAdGenError["code"]>().toEqualTypeOf<ErrorCode>();
  });

  test("is compared with members of the list only", () => {
    const check = (error: AdGenError) => {
      // @ts-expect-error: misspelt
      if (error.code === "payment-required") return;
    };
    expectTypeOf(check).toBeFunction();
  });
});

describe("an unknown that was caught", () => {
  test("narrows by isAdGenError", () => {
    const handle = (caught: unknown) => {
      if (!isAdGenError(caught)) return;
      expectTypeOf(caught).toEqualTypeOf<AnyAdGenError>();
      expectTypeOf(caught.outcome).toEqualTypeOf<Outcome | undefined>();
      expectTypeOf(caught.jobId).toEqualTypeOf<string | undefined>();
      expectTypeOf(caught.retryAfterMs).toEqualTypeOf<number | undefined>();
      if (caught.code === "payment_required")
        expectTypeOf(caught.status).toExtend<number | undefined>();
    };
    expectTypeOf(handle).toBeFunction();
  });

  test("narrows by class, each with its own code", () => {
    const handle = (caught: unknown) => {
      if (caught instanceof PaymentRequiredError) {
        expectTypeOf(caught.code).toEqualTypeOf<"payment_required">();
      } else if (caught instanceof AbortedError) {
        expectTypeOf(caught.code).toEqualTypeOf<"aborted">();
      } else if (caught instanceof DecodeError) {
        expectTypeOf(caught.issues[0]?.path).toEqualTypeOf<
          readonly (string | number)[] | undefined
        >();
      }
    };
    expectTypeOf(handle).toBeFunction();
  });
});

describe("a Result", () => {
  test("narrows on `ok`", async () => {
    const result = await toResult(client.jobs.submit({ action: "generate-ad" }));
    expectTypeOf(result).toEqualTypeOf<Result<SubmittedJob<"generate-ad">>>();
    if (result.ok) {
      expectTypeOf(result.data).toEqualTypeOf<SubmittedJob<"generate-ad">>();
      expectTypeOf(result.error).toBeUndefined();
    } else {
      expectTypeOf(result.error).toEqualTypeOf<AnyAdGenError>();
      expectTypeOf(result.data).toBeUndefined();
    }
  });

  test("can be taken apart and narrows on its error", async () => {
    const { data, error } = await toResult(client.jobs.get("job_1"));
    if (error === undefined) expectTypeOf(data.job_id).toBeString();
  });
});
