// Mocha: `npx mocha`. setupMockServer finds the hooks by itself; all files may share one mock.
import assert from "node:assert/strict";
import { createClient } from "adgen-sdk";
import { setupMockServer } from "adgen-sdk/mocks/node";

const baseUrl = "https://api.example.com";

describe("ads", () => {
  const mock = setupMockServer({ baseUrl });
  const client = createClient({ baseUrl, apiKey: "test-key" });

  it("costs a credit for each picture", async () => {
    const job = await client.jobs.submitAndPoll({ action: "generate-ad", variations: 2 });
    assert.equal(job.status, "completed");
    mock.service.account("test-key").assertCharges([{ credit: "image", amount: 2 }]);
  });
});
