import { createClient } from "adgen-sdk";
import { expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";

test("a page's client behind the mock learns which job its call id has, as behind the proxy", async () => {
  const service = createMockService({ pageKey: "test-key" });
  const client = createClient({
    baseUrl: "https://ads.test",
    apiKey: null,
    callIds: true,
    fetch: service.fetch,
  });
  const once = { once: "call-1" };
  const { job_id: jobId } = await client.jobs.submit({ action: "generate-ad" }, once);
  const other = client.jobs.submit({ action: "copy-ad" }, once);
  await expect(other).rejects.toMatchObject({
    code: "invalid_request",
    status: 409,
    outcome: "refused",
    jobId,
  });
  service.account("test-key").assertCharges([{ jobId }]);
});
