// Replaces your own handlers of the ad service by the mock, which knows states, credits and errors.
// The handlers of other services stay as they are.
import { createClient, isAdGenError } from "adgen-sdk";
import { setupMockServer } from "adgen-sdk/mocks/node";
import { HttpResponse, http } from "msw";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

const baseUrl = "https://api.example.com";
const mock = setupMockServer({
  baseUrl,
  handlers: [
    http.get("https://shop.example.com/cart", () => HttpResponse.json({ items: 2 })),
    // Gone: http.post(`${baseUrl}/v1/jobs`, …), http.get(`${baseUrl}/v1/jobs/:id`, …)
  ],
});
beforeAll(mock.listen);
afterEach(mock.reset);
afterAll(mock.close);
const client = createClient({ baseUrl, apiKey: "test-key" });

test("the shop and the service answer side by side", async () => {
  const { items } = await (await fetch("https://shop.example.com/cart")).json();
  const job = await client.jobs.submitAndPoll({ action: "generate-ad", variations: items });
  expect(job.status).toBe("completed");
  mock.service.account("test-key").assertCharges([{ credit: "image", amount: 2 }]);
});

// Before: mock.server.use(http.get(`${baseUrl}/v1/jobs/:id`, () => HttpResponse.json({ … "failed" })))
test("a job fails as the test says", async () => {
  mock.service.jobs.next({ fail: "moderation" });
  const job = await client.jobs.submitAndPoll({ action: "generate-ad" });
  expect(job).toMatchObject({ status: "failed", error: "moderation" });
});

// Before: mock.server.use(http.post(`${baseUrl}/v1/jobs`, () => HttpResponse.error()))
test("a lost answer is told from a request that was not sent", async () => {
  mock.service.faults.play({ kind: "reset", accepted: true }, { operation: "jobs.submit" });
  const error = await client.jobs.submit({ action: "generate-ad" }).catch((thrown) => thrown);
  expect(isAdGenError(error) && error.outcome).toBe("unknown");
  mock.service.account("test-key").assertCharges([{ amount: 1 }]);
});
