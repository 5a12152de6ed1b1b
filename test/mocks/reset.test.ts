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

const anyId = /(?:job|brand|ad|req)_[a-z0-9]{14}/g;

const idsIn = (seen: unknown[]): string[] => JSON.stringify(seen).match(anyId) ?? [];

/** Without pictures, too: their colours come from the ids. */
const withoutIds = (seen: unknown[]): unknown[] =>
  JSON.parse(
    JSON.stringify(seen)
      .replace(anyId, "an id")
      .replace(/data:image[^"\\]+/g, "a picture"),
  );

describe("the mock", () => {
  test("is after a reset as it was when it was new, except for the ids", async () => {
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
    const second = await play(service);
    expect(withoutIds(second)).toEqual(withoutIds(first));
    expect(idsIn(second).filter((id) => idsIn(first).includes(id))).toEqual([]);
  });

  test("never gives an id from before a reset to another thing", async () => {
    const service = createMockService(options());
    const seen = new Set<string>();
    let made = 0;
    const makeSome = async (): Promise<void> => {
      for (const key of ["test-a", "test-b"]) {
        const ask = createAsk(service, key);
        const { data: brand } = await ask("POST", "/v1/brands", { name: "Acme" });
        const { data: ad } = await ask("POST", "/v1/saved-ads", { brand_id: brand.id });
        const { data: job, headers } = await ask("POST", "/v1/jobs", { action: "copy-ad" });
        const { id: fault } = service.faults.play({ kind: "html" }, { account: key });
        const ids = [brand.id, ad.id, job.job_id, headers.get("x-request-id"), fault];
        for (const id of ids) seen.add(id);
        made += ids.length;
        service.faults.clear();
      }
    };
    const empty = service.snapshot();
    for (let round = 0; round < 3; round += 1) {
      await makeSome();
      service.reset();
      await makeSome();
      for (const { key } of service.accounts) service.account(key).reset();
      await makeSome();
      for (const key of ["test-a", "test-b"]) {
        expect(service.removeAccount(key)).toBe(true);
        service.addAccount(key, { credits: { image: { monthly: 3 } } });
      }
    }
    expect(seen.size).toBe(made);
    const jobs = new Set([...seen].filter((id) => id.startsWith("job_")));
    service.restore(empty);
    await createAsk(service, "test-a")("POST", "/v1/jobs", { action: "copy-ad" });
    service.reset();
    const { data } = await createAsk(service, "test-a")("POST", "/v1/jobs", { action: "copy-ad" });
    expect(jobs).not.toContain(data.job_id);
  });

  test("gives the same ids in every run, resets included", async () => {
    const run = async () => {
      const service = createMockService(options());
      const seen = [await play(service)];
      const resetEach = () => {
        for (const account of service.accounts) account.reset();
      };
      for (const reset of [service.reset, resetEach, service.reset]) {
        reset();
        seen.push(await play(service));
      }
      return seen;
    };
    expect(await run()).toEqual(await run());
  });

  test("gives the first ids again after a reset of what has made nothing", async () => {
    const service = createMockService(options());
    service.reset();
    service.account("test-a").reset();
    expect(idsIn(await play(service)).filter((id) => id.startsWith("job"))).toEqual(
      idsIn(await play(createMockService(options()))).filter((id) => id.startsWith("job")),
    );
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
