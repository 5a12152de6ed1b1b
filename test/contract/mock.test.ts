import { expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
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
