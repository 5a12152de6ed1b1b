import { describe, expect, test } from "vitest";
import {
  createManualClock,
  createMockService,
  type MockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";

const options = (seed?: string): MockServiceOptions => ({
  accounts: { "test-a": {}, "test-b": { credits: { image: { monthly: 3 } } } },
  clock: createManualClock(),
  refundFailedJobs: true,
  ...(seed !== undefined && { seed }),
});

/** A bit of everything; gives every status, header and byte that was answered. */
const play = async (service: MockService): Promise<unknown[]> => {
  const seen: unknown[] = [];
  for (const key of ["test-a", "test-b"]) {
    const ask = createAsk(service, key);
    const note = async (...call: Parameters<typeof ask>) => {
      const answered = await ask(...call);
      seen.push(answered.status, answered.text, [...answered.headers]);
      return answered.data;
    };
    const brand = await note("POST", "/v1/brands", { name: "Acme" });
    await note("POST", "/v1/saved-ads", { brand_id: brand.id });
    const job = await note("POST", "/v1/jobs", { action: "generate-ad", variations: 3 });
    const failing = await ask("POST", "/v1/jobs", { action: "video-a-2" });
    service.jobs.fail(failing.data.job_id, "moderation");
    await note("POST", "/v1/jobs", { action: "generate-ad", variations: 4 });
    await note("GET", `/v1/jobs/${job.job_id}`);
    await note("GET", `/v1/jobs/${job.job_id}`);
    await note("GET", "/v1/jobs");
    service.account(key).grant("image", { purchased: 2 });
    seen.push(service.account(key).credits, service.account(key).ledger);
  }
  return seen;
};

describe("the mock", () => {
  test("answers the same calls with the same bytes in every run", async () => {
    expect(await play(createMockService(options()))).toEqual(
      await play(createMockService(options())),
    );
  });

  test("gives other ids by another seed", async () => {
    const id = async (seed: string) => {
      const ask = createAsk(createMockService(options(seed)), "test-a");
      return (await ask("POST", "/v1/jobs", { action: "copy-ad" })).data.job_id;
    };
    expect(await id("one")).toBe(await id("one"));
    expect(await id("one")).not.toBe(await id("two"));
  });

  test("is after a reset as it was when it was new", async () => {
    const service = createMockService(options());
    const account = service.account("test-a");
    const first = await play(service);
    service.reset();
    for (const path of ["/v1/jobs", "/v1/brands"]) {
      const { data } = await createAsk(service, "test-a")("GET", path);
      expect(Object.values(data)).toEqual([[]]);
    }
    expect(account.credits.image).toEqual({ monthly: 100, purchased: 0 });
    expect(account.ledger).toHaveLength(2);
    service.reset();
    expect(await play(service)).toEqual(first);
  });

  test("keeps its clock through a reset: that belongs to the test", () => {
    const clock = createManualClock(1_000);
    const service = createMockService({ clock });
    clock.advance(500);
    service.reset();
    expect(service.clock.now()).toBe(1_500);
    expect(clock.now()).toBe(1_500);
    expect(service.account("test-key").ledger[0]?.at).toBe(1_500);
  });

  test("gives 100,000 ids without giving one twice", async () => {
    const { makeId } = await import("../../mocks/seeded/ids.ts");
    const ids = new Set(
      Array.from({ length: 100_000 }, (_, count) => makeId("job", "seed", count)),
    );
    expect(ids.size).toBe(100_000);
  });
});
