import { createClient, PaymentRequiredError } from "adgen-sdk";
import { afterEach, expect, test, vi } from "vitest";
import { failure } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { failureOf, openProxy, perDay } from "./proxy-under-test.ts";

const day = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
});

test("createProxy refuses null as limits", async () => {
  const limits = null as never;
  const message = expect.stringContaining("limits takes an object");
  await expect(openProxy({ limits })).rejects.toMatchObject({ code: "config", message });
});

test("a limit of 7 jobs lets exactly 7 of 50 simultaneous submissions through", async () => {
  const { submit, service, used, meet } = await openProxy(perDay({ jobs: 7 }));
  // Steps that take time let each submission read the count before another one has written it.
  meet(async ({ go }) => {
    await pause(5);
    return go();
  });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => submit("ann", {}, `call-${index}`)),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(7);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(43);
  expect(service.charges).toHaveLength(7);
  expect([await used(), await used("bob")]).toEqual([[7], [0]]);
});

test("a refusal names the limit and the time until it resets", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1, 23, 59) });
  const { submit, proxy, service } = await openProxy(perDay({ jobs: 1 }));
  await submit("ann");
  const refused = await submit("ann");
  expect(failureOf(refused)).toEqual({
    ...{ status: 402, outcome: "refused", success: false, data: null },
    error:
      "this app's limit is reached: 1 jobs in a day for each user, and this job takes 1. " +
      "Nothing was sent or charged",
  });
  expect(refused.headers["retry-after"]).toBe("60");
  const limit = { kind: "jobs", limit: 1, windowMs: day, endsAt: Date.UTC(2026, 0, 2) };
  expect(JSON.parse(refused.body)).toMatchObject({ limit });
  const errorOf = async (owner: string) => {
    const page = { baseUrl: "http://proxy", apiKey: null, fetch: proxy.fetchAs(owner) };
    const error = await createClient(page).jobs.submit({ action: "generate-ad" }).catch(Object);
    expect(error).toBeInstanceOf(PaymentRequiredError);
    return error;
  };
  expect(await errorOf("ann")).toMatchObject({ limit, outcome: "refused" });
  // The service's own credits are not a limit of the app.
  service.play({ answer: failure(402) });
  expect(await errorOf("bob")).not.toHaveProperty("limit");
  expect(service.sent("POST")).toHaveLength(2);
  vi.setSystemTime(Date.UTC(2026, 0, 2, 0, 0, 1));
  expect([(await submit("ann")).status, (await submit("ann")).status]).toEqual([202, 402]);
});

test("a limit of 0 jobs lets no job through, but brands, ads and reads", async () => {
  const { submit, make, statusOf, service, memory } = await openProxy(perDay({ jobs: 0 }));
  for (const callId of [undefined, "call-1"]) {
    expect((await submit("ann", {}, callId)).status).toBe(402);
  }
  // Refused submissions cannot fill the store.
  expect(memory.values.size).toBe(0);
  await make("ann", "/v1/saved-ads", { brand_id: await make("ann") });
  expect(await statusOf("ann", "/v1/jobs")).toBe(200);
  expect(service.charges.map(({ kind }) => kind)).toEqual(["brands", "ads"]);
});

test("a job that one window refuses takes nothing from the other window", async () => {
  const limits = (owner: string) =>
    owner === "ann" ? { day: { jobs: 1 }, month: { imageCredits: 1 } } : {};
  const { submit, proxy } = await openProxy({ limits });
  expect((await submit("ann", { variations: 2 })).status).toBe(402);
  expect((await submit("ann")).status).toBe(202);
  expect((await submit("ann")).status).toBe(402);
  expect((await submit("bob")).status).toBe(202);
  expect(await proxy.usage("ann")).toMatchObject([
    { window: "day", kind: "jobs", used: 1, limit: 1 },
    { window: "month", kind: "imageCredits", used: 1, limit: 1 },
  ]);
});

test("a monthly limit starts again with the month", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 1, 28, 23, 59) });
  const { submit, proxy } = await openProxy({ limits: { month: { jobs: 1 } } });
  expect([(await submit("ann")).status, (await submit("ann")).status]).toEqual([202, 402]);
  const [{ endsAt, windowMs } = expect.fail()] = await proxy.usage("ann");
  expect([endsAt, windowMs]).toEqual([Date.UTC(2026, 2, 1), 28 * day]);
  vi.setSystemTime(Date.UTC(2026, 2, 1));
  expect((await submit("ann")).status).toBe(202);
});

test("limits count a picture's variations, a video's seconds times its variations, and nothing for a text", async () => {
  const { submit, used, service } = await openProxy(perDay({ imageCredits: 10, videoSeconds: 30 }));
  const costs: [body: object, used: number[], status?: number][] = [
    [{ variations: 4 }, [4, 0]],
    [{}, [5, 0]],
    [{ action: "generate-ad-copy", variations: 10 }, [5, 0]],
    [{ action: "video-b-3-0", duration: 8 }, [5, 8]],
    [{ action: "video-a-2-pro", duration: 2.5, variations: 2 }, [5, 13]],
    [{ action: "video-a-2", duration: 18 }, [5, 13], 402],
    [{ variations: 6 }, [5, 13], 402],
    [{ variations: 5 }, [10, 13]],
  ];
  for (const [body, now, status = 202] of costs) {
    expect([(await submit("ann", body)).status, await used()]).toEqual([status, now]);
  }
  expect(service.charges).toHaveLength(6);
});
