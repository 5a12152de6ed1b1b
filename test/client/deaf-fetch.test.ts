import { describe, expect, it } from "vitest";
import { createClient } from "../../src/index.ts";
import { paidJob, rejection, testKey, timed } from "../helpers/client.ts";

/** Milliseconds that an overloaded machine may add to any time. */
const slackMs = 10_000;

describe("a fetch that ignores the signal", () => {
  it("does not hold a call up beyond its time", async () => {
    const fetch = () => new Promise<Response>(() => {});
    const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

    const { value: error, ms } = await timed(() =>
      rejection(client.jobs.submit(paidJob, { timeoutMs: 60 })),
    );

    expect(error).toMatchObject({ code: "timeout", outcome: "unknown" });
    expect(ms).toBeLessThan(60 + slackMs);
  });

  it("does not hold it up by a body either, which is then cancelled", async () => {
    let cancelled = false;
    const body = new ReadableStream({
      cancel: () => {
        cancelled = true;
      },
    });
    const fetch = async () => new Response(body, { status: 200 });
    const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

    const error = await rejection(client.jobs.get("j", { timeoutMs: 60 }));

    expect(error).toMatchObject({ code: "timeout", status: 200 });
    expect(cancelled).toBe(true);
  });

  it("has its late answer cancelled without an unhandled rejection", async () => {
    const cancelled = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const fetch = async () => {
      await late.promise;
      return new Response(new ReadableStream({ cancel: () => cancelled.resolve() }));
    };
    const heard: unknown[] = [];
    const onResponse = (event: unknown) => void heard.push(event);
    const client = createClient({
      baseUrl: "http://ads.test",
      apiKey: testKey,
      fetch,
      hooks: { onResponse },
    });

    const error = await rejection(client.jobs.get("j", { timeoutMs: 40, onResponse }));

    expect(error).toMatchObject({ code: "timeout" });
    expect(error.status).toBeUndefined();
    late.resolve();
    await cancelled.promise;
    expect(heard).toEqual([]);
  });

  it.each([
    ["throws nothing", undefined],
    ["throws null", null],
    ["throws what has no text", Object.create(null)],
    [
      "throws what cannot be looked at",
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no");
          },
        },
      ),
    ],
  ])("and %s fails the call as any other", async (_, thrown) => {
    const fetch = async (): Promise<never> => {
      throw thrown;
    };
    const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("and answers nothing fails the call too", async () => {
    const fetch = async () => undefined as unknown as Response;
    const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

    expect(await rejection(client.jobs.submit(paidJob))).toMatchObject({
      code: "connection",
      outcome: "unknown",
    });
  });
});
