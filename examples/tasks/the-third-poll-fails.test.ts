// Lets one poll in the middle of a wait meet an outage.
import { createClient } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { expect, test, vi } from "vitest";

const service = createMockService({ timeline: { queuedMs: 20_000, processingMs: 100_000 } });
const connection = { baseUrl: "https://api.example.com", apiKey: "test-key" };
const client = createClient({ ...connection, fetch: service.fetch });

test("a wait goes on when its third poll is answered with a 503", async () => {
  vi.useFakeTimers();
  service.faults.play({ kind: "status", status: 503 }, { operation: "jobs.get", after: 2 });
  const job = client.jobs.submitAndPoll({ action: "video-a-2", duration: 5 });
  await vi.advanceTimersByTimeAsync(140_000);
  vi.useRealTimers();
  expect((await job).status).toBe("completed");
  service.faults.assertPlayed();
  service.account("test-key").assertCharges([{ credit: "video", amount: 5 }]);
});
