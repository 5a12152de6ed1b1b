import { beforeEach, describe, expect, test } from "vitest";
import { createMockService, type MockService } from "../../mocks/index.ts";
import { createAsk } from "../mocks/ask.ts";
import { type Exchange, exchanges } from "./exchanges.ts";

/** Gives the shape of a value: its keys, and the types of their values. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  const entries = Object.entries(value).map(([key, item]) => [key, shapeOf(item)]);
  return Object.fromEntries(entries.sort());
};

const find = (name: string): Exchange => {
  const found = exchanges.find((exchange) => exchange.name === name);
  if (!found) throw new Error(`There is no recorded exchange "${name}".`);
  return found;
};

let service: MockService;

beforeEach(() => {
  service = createMockService({
    accounts: { "test-key": {}, "test-poor": { credits: { image: {}, video: {} } } },
  });
});

/** Sends a recorded request, with the mock's ids in the place of the recorded ones. */
const replay = async (name: string, ids: Record<string, string> = {}, key = "test-key") => {
  const { request, response } = find(name);
  const own = (text: string): string =>
    text.replace(/(brand|job|ad)_\w{9,}/g, (recorded, kind) => ids[kind] ?? recorded);
  const body = request.body && JSON.parse(own(JSON.stringify(request.body)));
  const answered = await createAsk(service, key)(request.method, own(request.path), body);
  expect(answered.status, name).toBe(response.status);
  expect(shapeOf(JSON.parse(answered.text)), name).toEqual(shapeOf(response.body));
  return answered;
};

describe("the mock answers in the recorded shapes", () => {
  test("about brands and saved ads", async () => {
    const brand = (await replay("create brand")).data.id;
    await replay("update brand", { brand });
    await replay("list brands");
    const ad = (await replay("save ad", { brand })).data.id;
    await replay("list ads of brand", { brand });
    await replay("delete ad", { ad });
    await replay("delete brand", { brand });
  });

  test("about a job that makes pictures", async () => {
    const job = (await replay("submit job")).data.job_id;
    await replay("get processing job", { job });
    await replay("get completed image job", { job });
  });

  test("about the other jobs", async () => {
    const ask = createAsk(service);
    const submit = async (action: string): Promise<string> =>
      (await ask("POST", "/v1/jobs", { action, prompt: "Summer sale" })).data.job_id;
    const finished = async (action: string): Promise<string> => {
      const job = await submit(action);
      await ask("GET", `/v1/jobs/${job}`);
      return job;
    };
    await replay("get completed video job", { job: await finished("video-a-2") });
    service.reset();
    await replay("get completed copy job", { job: await finished("generate-ad-copy") });
    const job = await submit("edit-ad");
    service.jobs.fail(job);
    await replay("get failed job", { job });
    service.reset();
    await finished("generate-ad");
    await replay("list jobs");
  });

  test.each([
    ["unsupported action", "test-key"],
    ["unauthorized", "test-nobody"],
    ["insufficient credits", "test-poor"],
    ["job not found", "test-key"],
  ])("about a failure, in the same words (%s)", async (name, key) => {
    const { error } = await replay(name, {}, key);
    expect(error).toBe(find(name).response.body.error);
  });
});
