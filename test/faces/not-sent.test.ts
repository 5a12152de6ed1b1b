import { createClient, isAdGenError, toResult } from "adgen-sdk";
import { createMockService, type MockService } from "adgen-sdk/mocks";
import { createHandlers } from "adgen-sdk/mocks/msw";
import { setupServer } from "msw/node";
import { afterEach, describe, expect, test } from "vitest";
import { notSentKey } from "../../src/contract/not-sent.ts";

const baseUrl = "https://api.example.com";
const ad = { action: "generate-ad", prompt: "Summer sale" } as const;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Ways from a client to the mock: its `fetch` option, or none where MSW intercepts. */
const faces = {
  "service.fetch": ({ fetch }: MockService) => ({ fetch }),
  "a wrapper of service.fetch": ({ fetch }: MockService) => ({
    fetch: async (request: Request) => fetch(request),
  }),
  "MSW and the global fetch": (service: MockService) => {
    const server = setupServer(...createHandlers(service));
    server.listen({ onUnhandledFrame: "error" });
    closers.push(() => server.close());
    return {};
  },
};

describe.each(Object.entries(faces))("the mock's faults, through %s", (_, reach) => {
  const begin = (maxRetries: number) => {
    const service = createMockService();
    const client = createClient({ baseUrl, apiKey: "test-key", maxRetries, ...reach(service) });
    return { service, submit: () => toResult(client.jobs.submit(ad)) };
  };

  test("leave a submission not sent when the connection is refused", async () => {
    const { service, submit } = begin(0);
    service.faults.play({ kind: "refuse" });

    const { error } = await submit();

    expect(error).toMatchObject({ code: "connection", outcome: "not-sent", attempts: 1 });
    expect(error?.message).toBe("POST /v1/jobs got no answer: connect ECONNREFUSED");
    expect(service.account("test-key").ledger.some(({ reason }) => reason !== "grant")).toBe(false);
  });

  test("let a refused submission be sent again, and charge it once", async () => {
    const { service, submit } = begin(2);
    service.faults.play({ kind: "refuse" }, { times: 2 });

    const { data } = await submit();

    expect(data?.status).toBe("queued");
    service.journal.assertCount(3, { operation: "jobs.submit" });
    const { ledger } = service.account("test-key");
    expect(ledger.filter(({ reason }) => reason !== "grant")).toHaveLength(1);
  });

  test("leave a submission unknown when the connection is reset", async () => {
    const { service, submit } = begin(10);
    service.faults.play({ kind: "reset" });

    const { error } = await submit();

    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    service.journal.assertCount(1, { operation: "jobs.submit" });
  });
});

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
