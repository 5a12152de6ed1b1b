// @vitest-environment happy-dom
// happy-dom puts its own Request, Response and Headers in place of Node's.
import { createClient } from "adgen-sdk";
import { expect, test } from "vitest";
import { startMockServer } from "../../mocks/server/index.ts";

test("the mock's server takes a job and notes its headers in a file of happy-dom", async () => {
  expect(globalThis).toHaveProperty("happyDOM");
  await using server = await startMockServer({ timeline: "per-poll" });
  const { url: baseUrl, service } = server;
  const client = createClient({ baseUrl, apiKey: "test-key", allowBrowserKey: true });
  const job = await client.jobs.submitAndPoll({ action: "generate-ad" });
  expect(job.status).toBe("completed");
  service.account("test-key").assertCharges([{ amount: 1 }]);
  expect(service.journal.find({ operation: "jobs.submit" })[0]?.headers).toMatchObject({
    "content-type": "application/json",
    authorization: "[redacted]",
  });
});
