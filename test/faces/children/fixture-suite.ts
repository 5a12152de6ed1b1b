/** Run by ../runners.test.ts: some of these fail, as they should. */
import { test as base, describe } from "vitest";
import { mockFixtures } from "../../../mocks/node.ts";

const test = base.extend(mockFixtures());
const call = (url: string, apiKey?: string): Promise<unknown> =>
  fetch(url, apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }).catch(
    () => "the code under test does not mind",
  );

test("fails for a call that the API has not", async ({ apiKey }) => {
  await call("https://ads.test/v1/nothing?token=secret", apiKey);
});

test("fails for a call to somebody else, without any fixture", async () => {
  await call(`${process.env["OTHER_URL"]}/collect`);
});

describe.concurrent("at the same time", () => {
  test("fails for its own call", async ({ apiKey }) => {
    await call("https://ads.test/v1/mine", apiKey);
  });

  test("passes beside it", async ({ client, expect }) => {
    expect((await client.brands.list()).items).toEqual([]);
  });
});

const strict = base.extend(mockFixtures());
strict.afterEach(({ service }) => service.faults.assertPlayed());

strict("fails for a fault that no request meets", async ({ service }) => {
  service.faults.play({ kind: "reset" });
});

const timed = base.extend(mockFixtures({ timeline: { queuedMs: 600_000, processingMs: 0 } }));

timed("fails while its job is unfinished", { timeout: 100 }, async ({ client }) => {
  await client.jobs.submitAndPoll({ action: "copy-ad" });
});

timed("fails for a reason of its own while its job is unfinished", async ({ client, expect }) => {
  await client.jobs.submit({ action: "copy-ad" });
  expect(1).toBe(2);
});

test("fails after a request with a wrong key", async ({ mock: { baseUrl }, expect }) => {
  const response = await fetch(`${baseUrl}/v1/jobs`, {
    headers: { authorization: "Bearer test-of-another" },
  });
  expect(response.status).toBe(200);
});

const fixed = base.extend(mockFixtures({ apiKey: "test-app-key" }));

describe.concurrent("with one key for all", () => {
  fixed("the first passes", async ({ client }) => {
    for (let count = 0; count < 5; count += 1) await client.brands.list();
  });

  fixed("the second is refused", async ({ client }) => {
    await client.brands.list();
  });
});
