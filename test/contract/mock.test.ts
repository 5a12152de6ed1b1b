import { expect, test } from "vitest";
import { createMockService, type MockService } from "../../mocks/index.ts";
import { createAsk } from "../mocks/ask.ts";
import { exchanges } from "./exchanges.ts";

/** Gives the shape of a value: its keys, and the types of their values. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  const entries = Object.entries(value).map(([key, item]) => [key, shapeOf(item)]);
  return Object.fromEntries(entries.sort());
};

const accounts = { "test-key": {}, "test-poor": { credits: { image: {}, video: {} } } };

/** A mock that is asked as it was recorded, with its own ids in the place of the recorded ones. */
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
    // The words of a failure are documented.
    expect(answered.error, name).toBe(response.body.error);
    return answered.data;
  };
  return { service, replay };
};

/** Submits a job that is finished at the next poll. */
const finish = async (service: MockService, action: string, isFailing = false): Promise<string> => {
  const ask = createAsk(service);
  const { job_id } = (await ask("POST", "/v1/jobs", { action, prompt: "Summer sale" })).data;
  if (isFailing) service.jobs.fail(job_id);
  else await ask("GET", `/v1/jobs/${job_id}`);
  return job_id;
};

test("the mock answers in the recorded shapes about brands and saved ads", async () => {
  const { replay } = startReplay();
  const brand = (await replay("create brand")).id;
  await replay("update brand", { brand });
  await replay("list brands");
  const ad = (await replay("save ad", { brand })).id;
  await replay("list ads of brand", { brand });
  await replay("delete ad", { ad });
  await replay("delete brand", { brand });
});

test("the mock answers in the recorded shapes about jobs", async () => {
  const { replay } = startReplay();
  const job: string = (await replay("submit job")).job_id;
  await replay("get processing job", { job });
  await replay("list jobs");
  await replay("get completed image job", { job });
});

test.each([
  ["get completed video job", "video-a-2", false],
  ["get completed copy job", "generate-ad-copy", false],
  ["get failed job", "edit-ad", true],
])("the mock answers in the recorded shape: %s", async (name, action, isFailing) => {
  const { service, replay } = startReplay();
  await replay(name, { job: await finish(service, action, isFailing) });
});

test.each([
  ["unsupported action", "test-key"],
  ["unauthorized", "test-nobody"],
  ["insufficient credits", "test-poor"],
  ["job not found", "test-key"],
])("the mock fails in the recorded words: %s", async (name, key) => {
  await startReplay().replay(name, {}, key);
});
