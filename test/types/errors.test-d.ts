import * as sdk from "adgen-sdk";
import type { Doubt } from "adgen-sdk/submissions";
import { describe, expectTypeOf, test } from "vitest";
import type { DecodeIssue, DecodeReason } from "../../src/client/errors/error-fields.ts";
import type { ReachedLimit } from "../../src/contract/proxy-answers.ts";

const { createClient, isAdGenError, toResult } = sdk;
const client = createClient();

describe("an error", () => {
  test("narrows by its code, which has a closed list, to one class, and has its fields then alone", () => {
    interface Classes {
      bad_request: sdk.BadRequestError;
      unauthorized: sdk.UnauthorizedError;
      payment_required: sdk.PaymentRequiredError;
      not_found: sdk.NotFoundError;
      rate_limited: sdk.ApiError;
      server_error: sdk.ApiError;
      unexpected_status: sdk.ApiError;
      connection: sdk.ConnectionError;
      timeout: sdk.TimeoutError;
      aborted: sdk.AbortedError;
      decode: sdk.DecodeError;
      invalid_request: sdk.InvalidRequestError;
      config: sdk.ConfigError;
      store: sdk.StoreError;
      in_doubt: sdk.InDoubtError;
      under_way: sdk.UnderWayError;
      poll_timeout: sdk.PollTimeoutError;
    }
    type Misplaced = {
      [Code in sdk.ErrorCode]: Code extends Classes[Code]["code"] ? never : Code;
    }[sdk.ErrorCode];
    expectTypeOf<keyof Classes>().toEqualTypeOf<sdk.ErrorCode>();
    expectTypeOf<Classes[sdk.ErrorCode]>().toEqualTypeOf<sdk.AnyAdGenError>();
    expectTypeOf<Misplaced>().toBeNever();
    const read = (error: sdk.AnyAdGenError) => {
      // @ts-expect-error: not every error has issues
      error.issues;
      // @ts-expect-error: not every error has supported actions
      error.supportedActions;
      // @ts-expect-error: misspelt
      if ((error as sdk.AdGenError).code === "payment-required") return;
      if (error.code === "decode") return expectTypeOf(error.reason).toEqualTypeOf<DecodeReason>();
      if (error.code === "in_doubt") return expectTypeOf(error.doubt).toEqualTypeOf<Doubt>();
      if (error.code === "under_way")
        return expectTypeOf(error.retryAfterMs).toEqualTypeOf<number>();
      if (error.code === "poll_timeout") expectTypeOf(error.lastJob?.["status"]).toBeUnknown();
    };
    expectTypeOf(read).toBeFunction();
  });

  test("that was caught narrows by isAdGenError, and by its class", () => {
    const handle = (caught: unknown) => {
      if (caught instanceof sdk.PaymentRequiredError) {
        expectTypeOf(caught.code).toEqualTypeOf<"payment_required">();
        expectTypeOf(caught.limit).toEqualTypeOf<ReachedLimit | undefined>();
      } else if (caught instanceof sdk.DecodeError) {
        type Path = readonly (string | number)[];
        expectTypeOf(caught.issues[0]?.path).toEqualTypeOf<Path | undefined>();
        expectTypeOf(caught.issues).toEqualTypeOf<readonly DecodeIssue[]>();
      }
      if (!isAdGenError(caught)) return;
      expectTypeOf(caught).toExtend<sdk.AnyAdGenError>();
      expectTypeOf(caught.outcome).toEqualTypeOf<sdk.Outcome | undefined>();
      expectTypeOf(caught.jobId).toEqualTypeOf<string | undefined>();
      expectTypeOf(caught.retryAfterMs).toEqualTypeOf<number | undefined>();
    };
    expectTypeOf(handle).toBeFunction();
    expectTypeOf(isAdGenError).guards.toEqualTypeOf<sdk.AnyAdGenError>();
  });
});

test("a Result narrows on `ok`, and on its error where it is taken apart", async () => {
  type Job = sdk.SubmittedJob<"generate-ad">;
  const result = await toResult(client.jobs.submit({ action: "generate-ad" }));
  expectTypeOf(result).toEqualTypeOf<sdk.Result<Job>>();
  if (result.ok) {
    expectTypeOf(result.data).toEqualTypeOf<Job>();
    expectTypeOf(result.error).toBeUndefined();
  } else {
    expectTypeOf(result.error).toEqualTypeOf<sdk.AnyAdGenError>();
    expectTypeOf(result.data).toBeUndefined();
  }
  const { data, error } = await toResult(client.jobs.get("job_1"));
  if (error === undefined) expectTypeOf(data.job_id).toBeString();
});
