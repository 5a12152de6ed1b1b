// A client learns what became of a write that meets a fault of the mock, through each way to it.
import { createClient, toResult } from "adgen-sdk";
import { createMockService, type MockService } from "adgen-sdk/mocks";
import { expect, test } from "vitest";
import { adapters } from "../helpers/adapters.ts";

/** Ways from a client to the mock: its `fetch` option, or none where MSW intercepts. */
const ways = {
  "service.fetch": adapters["service.fetch"],
  "a wrapper of service.fetch": async ({ fetch }: MockService) => ({
    baseUrl: "https://ads.test",
    fetch: async (request: Request) => fetch(request),
    close: () => {},
  }),
  "MSW and the global fetch": adapters["msw/node"],
};

test.each(Object.entries(ways))(
  "a refused connection sends nothing, is tried again, and a reset one may be paid: %s",
  async (_, reach) => {
    const service = createMockService();
    const { close, ...reached } = await reach(service);
    const submit = (maxRetries: number) => {
      const client = createClient({ ...reached, apiKey: "test-key", maxRetries });
      return toResult(client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" }));
    };
    const charges = () => service.account("test-key").charges.length;
    try {
      service.faults.play({ kind: "refuse" });
      const { error: refused } = await submit(0);
      expect(refused).toMatchObject({ code: "connection", outcome: "not-sent", attempts: 1 });
      expect(refused?.message).toBe("POST /v1/jobs got no answer: connect ECONNREFUSED");
      expect(charges()).toBe(0);

      service.faults.play({ kind: "refuse" }, { times: 2 });
      expect((await submit(2)).data?.status).toBe("queued");
      service.journal.assertCount(4, { operation: "jobs.submit" });
      expect(charges()).toBe(1);

      service.faults.play({ kind: "reset" });
      const { error: lost } = await submit(10);
      expect(lost).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
      service.journal.assertCount(5, { operation: "jobs.submit" });
    } finally {
      await close();
    }
  },
);
