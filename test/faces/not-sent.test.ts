// A client learns what became of a write that meets a fault of the mock, through each way to it.
import { createClient, isAdGenError, toResult } from "adgen-sdk";
import { createMockService, type MockService } from "adgen-sdk/mocks";
import { expect, test } from "vitest";
import { notSentKey } from "../../src/contract/not-sent.ts";
import { faces } from "../helpers/faces.ts";

const baseUrl = "https://ads.test";
const ad = { action: "generate-ad", prompt: "Summer sale" } as const;

/** Ways from a client to the mock: its `fetch` option, or none where MSW intercepts. */
const ways = {
  "service.fetch": faces["service.fetch"],
  "a wrapper of service.fetch": async ({ fetch }: MockService) => ({
    fetch: async (request: Request) => fetch(request),
    close: () => {},
  }),
  "MSW and the global fetch": faces["msw/node"],
};

test.each(Object.entries(ways))(
  "a refused connection sends nothing, is tried again, and a reset one may be paid: %s",
  async (_, reach) => {
    const service = createMockService();
    const { close, ...reached } = await reach(service);
    const submit = (maxRetries: number) => {
      const options = { baseUrl, apiKey: "test-key", maxRetries, ...reached };
      return toResult(createClient(options).jobs.submit(ad));
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

test("a service of another base URL refuses a submission, and makes no job", async () => {
  const service = createMockService({ baseUrl: "https://other.test" });
  const client = createClient({ baseUrl, apiKey: "test-key", fetch: service.fetch });
  const { error } = await toResult(client.jobs.submit(ad));
  expect(error).toMatchObject({ code: "not_found", outcome: "refused" });
  expect(service.jobs.all).toEqual([]);
});

test("the refused connection of service.fetch carries the mark, which no printer shows", async () => {
  const service = createMockService();
  service.faults.play({ kind: "refuse" });
  const error = await service.fetch(new Request(`${baseUrl}/v1/jobs`)).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(notSentKey in error).toBe(true);
  expect(Object.getOwnPropertyDescriptor(error, notSentKey)?.enumerable).toBe(false);
  expect(isAdGenError(error)).toBe(false);
});
