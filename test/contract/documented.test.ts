import { describe, expect, test } from "vitest";
import { actions, creditOfAction, isAction } from "../../src/contract/actions.ts";
import { endpoints } from "../../src/contract/endpoint.ts";
import {
  isFinished,
  isJobStatus,
  jobExpiryMs,
  jobStatuses,
  maxVariations,
} from "../../src/contract/jobs.ts";
import {
  parseSupportedActions,
  unsupportedActionMessage,
} from "../../src/contract/supported-actions.ts";

/** Section 2, "Job actions": the rows of the table, in its order. */
const actionTable = [
  ["copy-ad", "image"],
  ["generate-ad", "image"],
  ["edit-ad", "image"],
  ["generate-ad-copy", null],
  ["image-a-2", "image"],
  ["image-a-pro", "image"],
  ["video-a-2", "video"],
  ["video-a-2-pro", "video"],
  ["video-b-3-0", "video"],
] as const;

/** Section 4: the rows of its tables; "see below" where the document shows no status. */
const endpointTable = [
  ["POST", "/v1/jobs", 202],
  ["GET", "/v1/jobs/:id", 200],
  ["GET", "/v1/jobs", 200],
  ["GET", "/v1/brands", 200],
  ["POST", "/v1/brands", 201],
  ["PATCH", "/v1/brands/:id", "see below"],
  ["DELETE", "/v1/brands/:id", "see below"],
  ["GET", "/v1/brands/:id/ads", 200],
  ["POST", "/v1/saved-ads", 201],
  ["DELETE", "/v1/saved-ads/:id", "see below"],
] as const;

describe("the actions", () => {
  test("are the nine of the document, in its order", () => {
    expect(actions).toEqual(actionTable.map(([action]) => action));
  });

  test("are paid as the document says", () => {
    expect(Object.entries(creditOfAction)).toEqual(actionTable.map((row) => [...row]));
  });

  test("are told from any other value", () => {
    expect(actions.every(isAction)).toBe(true);
    for (const other of ["", "generate", "COPY-AD", "toString", 0, null, undefined, ["copy-ad"]]) {
      expect(isAction(other)).toBe(false);
    }
  });
});

describe("the endpoints", () => {
  test("are those of the document, in its order", () => {
    expect(Object.values(endpoints).map(({ method, path }) => [method, path])).toEqual(
      endpointTable.map(([method, path]) => [method, path]),
    );
  });

  test("succeed with the documented status, and with 200 where there is none", () => {
    expect(Object.values(endpoints).map(({ status }) => status)).toEqual(
      endpointTable.map(([, , status]) => (status === "see below" ? 200 : status)),
    );
  });

  test("cost credits in one case only", () => {
    const paid = Object.entries(endpoints).filter(([, endpoint]) => "paid" in endpoint);
    expect(paid.map(([name]) => name)).toEqual(["jobs.submit"]);
  });
});

describe("the message for an unsupported action", () => {
  test("is the document's, to the letter", () => {
    expect(unsupportedActionMessage()).toBe(
      "Invalid action. Supported: copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, " +
        "image-a-pro, video-a-2, video-a-2-pro, video-b-3-0",
    );
  });

  test("gives back the actions it names, known or not", () => {
    expect(parseSupportedActions(unsupportedActionMessage())).toEqual(actions);
    expect(parseSupportedActions("Invalid action. Supported: copy-ad, poster")).toEqual([
      "copy-ad",
      "poster",
    ]);
  });

  test.each([
    "",
    "Invalid action",
    "Invalid parameter variations",
    "x Invalid action. Supported: ",
  ])("is not any other message: %j", (message) =>
    expect(parseSupportedActions(message)).toBeUndefined(),
  );
});

describe("the states of a job", () => {
  test("are the four of the document", () => {
    expect(jobStatuses).toEqual(["queued", "processing", "completed", "failed"]);
    expect(jobStatuses.every(isJobStatus)).toBe(true);
    expect(isJobStatus("done")).toBe(false);
    expect(isJobStatus(undefined)).toBe(false);
  });

  test("are final for completed and failed only", () => {
    expect(jobStatuses.filter(isFinished)).toEqual(["completed", "failed"]);
  });
});

test("the limits are the document's", () => {
  expect(maxVariations).toBe(10);
  expect(jobExpiryMs).toBe(30 * 60_000);
});
