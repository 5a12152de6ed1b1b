/** @jest-environment jest-fixed-jsdom */
// Jest with a page: jest-environment-jsdom lacks `fetch`, jest-fixed-jsdom has it.
//
//   NODE_OPTIONS=--experimental-vm-modules npx jest
import { createClient } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";

// `pageKey` stands in for your proxy: a page has no key.
const service = createMockService({ pageKey: "test-key", baseUrl: "http://localhost/adgen" });
const client = createClient({ baseUrl: "/adgen", apiKey: null, fetch: service.fetch });
afterEach(() => service.reset());

test("a button orders one ad, whatever its clicks", async () => {
  document.body.innerHTML = "<button>Order</button><output></output>";
  const clicks = [];
  document.querySelector("button").onclick = () => {
    const request = { action: "generate-ad", prompt: "Lemonade" };
    clicks.push(client.jobs.submitAndPoll(request, { once: "hero" }));
  };
  document.querySelector("button").click();
  document.querySelector("button").click();
  const [first, second] = await Promise.all(clicks);
  expect([first.status, second.job_id]).toEqual(["completed", first.job_id]);
  service.account("test-key").assertCharges([{ credit: "image", amount: 1 }]);
});
