import { expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { actions, creditOfAction, isAction } from "../../src/contract/actions.ts";
import { type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import {
  isFinishedStatus,
  isJobStatus,
  jobExpiryMs,
  jobStatuses,
  maxVariations,
} from "../../src/contract/jobs.ts";
import { createAsk } from "../mocks/ask.ts";
import { failures, successes } from "./exchanges.ts";

test("the nine actions have the document's order and prices", () => {
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

test("the states of a job, the limits and the paid endpoint are those of the document", () => {
  const paid = Object.entries(endpoints).filter(([, endpoint]) => "paid" in endpoint);
  expect(paid.map(([name]) => name)).toEqual(["jobs.submit"]);
  expect(jobStatuses).toEqual(["queued", "processing", "completed", "failed"]);
  expect(jobStatuses.filter(isFinishedStatus)).toEqual(["completed", "failed"]);
  expect([...jobStatuses, "done", undefined].filter(isJobStatus)).toEqual(jobStatuses);
  expect(maxVariations).toBe(10);
  expect(jobExpiryMs).toBe(30 * 60_000);
});

const names = Object.keys(endpoints) as EndpointName[];

test("the recorded exchanges hold a success of every endpoint, and every documented failure", () => {
  const recorded = new Set(successes.map(({ endpoint }) => endpoint));
  expect([...recorded].sort()).toEqual(names.sort());
  expect(failures.map(({ response }) => response.status).sort()).toEqual([400, 401, 402, 404]);
});

test.each(failures)("the mock fails in the recorded words: $name", async (exchange) => {
  const accounts = { "test-key": {}, "test-poor": { credits: { image: {}, video: {} } } };
  const key = { 401: "test-nobody", 402: "test-poor" }[exchange.response.status] ?? "test-key";
  const { method, path, body } = exchange.request;

  const answered = await createAsk(createMockService({ accounts }), key)(method, path, body);

  expect(answered.status).toBe(exchange.response.status);
  expect(answered.error).toBe(exchange.response.body.error);
});
