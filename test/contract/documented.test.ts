import { expect, test } from "vitest";
import { actions, creditOfAction, isAction } from "../../src/contract/actions.ts";
import { endpoints } from "../../src/contract/endpoint.ts";
import {
  isFinishedStatus,
  isJobStatus,
  jobExpiryMs,
  jobStatuses,
  maxVariations,
} from "../../src/contract/jobs.ts";

test("the actions are the nine of the document, in its order, and are paid as it says", () => {
  // Section 2, "Job actions": the rows of the table.
  expect(Object.entries(creditOfAction)).toEqual([
    ["copy-ad", "image"],
    ["generate-ad", "image"],
    ["edit-ad", "image"],
    ["generate-ad-copy", null],
    ["image-a-2", "image"],
    ["image-a-pro", "image"],
    ["video-a-2", "video"],
    ["video-a-2-pro", "video"],
    ["video-b-3-0", "video"],
  ]);
  expect(actions).toEqual(Object.keys(creditOfAction));
  expect(actions.every(isAction)).toBe(true);
  for (const other of ["", "generate", "COPY-AD", "toString", 0, null, undefined, ["copy-ad"]]) {
    expect(isAction(other)).toBe(false);
  }
});

test("the states of a job, the limits and the paid endpoint are the document's", () => {
  const paid = Object.entries(endpoints).filter(([, endpoint]) => "paid" in endpoint);
  expect(paid.map(([name]) => name)).toEqual(["jobs.submit"]);
  expect(jobStatuses).toEqual(["queued", "processing", "completed", "failed"]);
  expect(jobStatuses.filter(isFinishedStatus)).toEqual(["completed", "failed"]);
  expect([...jobStatuses, "done", undefined].filter(isJobStatus)).toEqual(jobStatuses);
  expect(maxVariations).toBe(10);
  expect(jobExpiryMs).toBe(30 * 60_000);
});
