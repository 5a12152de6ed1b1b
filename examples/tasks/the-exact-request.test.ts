// Looks at the request that your program sends, and at what it costs.
import { createClient } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { expect, test } from "vitest";

const service = createMockService();
const connection = { baseUrl: "https://api.example.com", apiKey: "test-key" };
const client = createClient({ ...connection, headers: { "x-app": "shop" }, fetch: service.fetch });

test("an order is one request", async () => {
  await client.jobs.submit({ action: "generate-ad", prompt: "Lemonade", variations: 2 });
  const { body } = service.journal.assertOne({ method: "POST", headers: { "x-app": "shop" } });
  expect(body).toEqual({ action: "generate-ad", prompt: "Lemonade", variations: 2 });
  service.account("test-key").assertCharges([{ credit: "image", amount: 2 }]);
});
