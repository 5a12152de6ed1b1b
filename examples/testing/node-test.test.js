// node:test: `node --test`. MSW intercepts the requests of the whole process.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { createClient } from "adgen-sdk";
import { setupMockServer } from "adgen-sdk/mocks/node";

const baseUrl = "https://api.example.com";
const mock = setupMockServer({ baseUrl, hooks: { beforeAll: before, afterEach, afterAll: after } });
const client = createClient({ baseUrl, apiKey: "test-key" });

test("a job costs a credit", async () => {
  const job = await client.jobs.submitAndPoll({ action: "generate-ad" });
  assert.equal(job.status, "completed");
  mock.service.account("test-key").assertCharges([{ credit: "image", amount: 1 }]);
});

test("an account without credits gets a 402", async () => {
  mock.service.account("test-key").setCredits({ image: {} });
  await assert.rejects(client.jobs.submit({ action: "generate-ad" }), { code: "payment_required" });
});
