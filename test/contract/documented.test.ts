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
import { createCheck, type FieldIssue } from "../../src/contract/schema.ts";
import { createAsk } from "../mocks/ask.ts";
import { exchanges, failures, successes } from "./exchanges.ts";

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

const issuesOf = (name: EndpointName, value: unknown): readonly FieldIssue[] =>
  createCheck(endpoints[name].answer)(value);

const neededFields: Record<EndpointName, string[]> = {
  "jobs.submit": ["job_id", "status"],
  "jobs.get": ["status"],
  "jobs.list": ["job_id", "status"],
  "brands.list": ["id"],
  "brands.create": ["id"],
  "brands.update": ["id"],
  "brands.delete": [],
  "brands.listAds": ["id"],
  "savedAds.create": ["id"],
  "savedAds.delete": [],
};

test.each(names)("the check of a response to %s names missing fields and allows others", (name) => {
  const needed = neededFields[name];
  const least = Object.fromEntries(needed.map((key) => [key, "any text"]));
  const issues = needed.map((key) => ({
    ...{ path: [key], input: undefined, message: "expected string" },
  }));
  expect(issuesOf(name, Object.freeze({ ...least, result: { a: [1] }, cost: null }))).toEqual([]);
  expect(issuesOf(name, {})).toEqual(issues);
  for (const value of [null, "text", 7, true, [], undefined]) {
    const issue = { path: [], input: value, message: "expected object" };
    expect(issuesOf(name, value)).toEqual([issue]);
  }
});

test("the recorded exchanges hold a success of every endpoint, and every documented failure", () => {
  const recorded = new Set(successes.map(({ endpoint }) => endpoint));
  expect([...recorded].sort()).toEqual(names.sort());
  expect(failures.map(({ response }) => response.status).sort()).toEqual([400, 401, 402, 404]);
});

/** Gives the shape of a value: its keys, and the types of their values. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  const entries = Object.entries(value).map(([key, item]) => [key, shapeOf(item)]);
  return Object.fromEntries(entries.sort());
};

const accounts = { "test-key": {}, "test-poor": { credits: { image: {}, video: {} } } };

/** Creates a mock that gets the recorded requests, with its own ids instead of the recorded ones. */
const startReplay = () => {
  const service = createMockService({ accounts });
  const replay = async (name: string, ids: Record<string, string> = {}, key = "test-key") => {
    const exchange = exchanges.find((exchange) => exchange.name === name);
    if (!exchange) throw new Error(`There is no recorded exchange "${name}".`);
    const { request, response } = exchange;
    const own = (text: string): string =>
      text.replace(/(brand|job|ad)_\w{9,}/g, (recorded, kind) => ids[kind] ?? recorded);
    const body = request.body && JSON.parse(own(JSON.stringify(request.body)));
    const answered = await createAsk(service, key)(request.method, own(request.path), body);
    expect(answered.status, name).toBe(response.status);
    expect(shapeOf(JSON.parse(answered.text)), name).toEqual(shapeOf(response.body));
    // The API's document gives the message of a failure, so it must be equal.
    expect(answered.error, name).toBe(response.body.error);
    return answered.data;
  };
  return { service, replay };
};

test("the mock answers in the recorded shapes", async () => {
  const { service, replay } = startReplay();
  const brand = (await replay("create brand")).id;
  await replay("update brand", { brand });
  await replay("list brands");
  const ad = (await replay("save ad", { brand })).id;
  await replay("list ads of brand", { brand });
  await replay("delete ad", { ad });
  await replay("delete brand", { brand });

  const job: string = (await replay("submit job")).job_id;
  await replay("get processing job", { job });
  await replay("list jobs");
  await replay("get completed image job", { job });

  /** Submits a job that is finished at the next poll. */
  const submit = async (action: string): Promise<string> => {
    const ask = createAsk(service);
    const { job_id } = (await ask("POST", "/v1/jobs", { action, prompt: "Summer sale" })).data;
    await ask("GET", `/v1/jobs/${job_id}`);
    return job_id;
  };
  await replay("get completed video job", { job: await submit("video-a-2") });
  await replay("get completed copy job", { job: await submit("generate-ad-copy") });
  const failing = await submit("edit-ad");
  service.jobs.fail(failing);
  await replay("get failed job", { job: failing });
});

test("the mock fails in the recorded words", async () => {
  const { replay } = startReplay();
  await replay("unsupported action");
  await replay("unauthorized", {}, "test-nobody");
  await replay("insufficient credits", {}, "test-poor");
  await replay("job not found");
});
