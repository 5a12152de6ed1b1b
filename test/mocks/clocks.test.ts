import { describe, expect, test } from "vitest";
import { createManualClock, createMockService } from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";

const accounts = { "test-a": {}, "test-b": {} };

describe("the service's clock", () => {
  test("leaves a clock that was handed in where it is, and goes on with it", () => {
    const clock = createManualClock(5_000);
    const service = createMockService({ clock });
    service.clock.advance(500);
    service.clock.setTime(6_000);
    expect(clock.now()).toBe(5_000);
    clock.advance(10);
    expect(service.clock.now()).toBe(6_010);
    service.reset();
    expect(service.clock.now()).toBe(5_010);
  });

  test("can be moved where it goes with the system's, until a reset", () => {
    const service = createMockService();
    service.clock.advance(3_600_000);
    expect(service.clock.now() - Date.now()).toBeGreaterThan(3_599_000);
    service.reset();
    expect(service.clock.now() - Date.now()).toBeLessThanOrEqual(0);
  });

  test("never goes back, nor beyond the last date", () => {
    const service = createMockService({ clock: { now: () => 1_000 } });
    expect(() => service.clock.advance(-1)).toThrow("The clock cannot advance by -1 ms");
    expect(() => service.clock.advance(Number.NaN)).toThrow(RangeError);
    expect(() => service.clock.setTime(999)).toThrow("The clock at 1000 cannot be set to 999");
    expect(() => service.clock.setTime(8.64e15 + 1)).toThrow(RangeError);
    expect(service.clock.now()).toBe(1_000);
  });
});

test("the service's clock stops at the last date, and can still be kept in a snapshot", () => {
  const clock = createManualClock(0);
  const service = createMockService({ clock });
  service.clock.setTime(8.64e15);
  clock.advance(5);
  expect(service.clock.now()).toBe(8.64e15);
  service.restore(service.snapshot());
  expect(service.fork().clock.now()).toBe(8.64e15);
});

test("an account ahead of the service stops at the last date", async () => {
  const service = createMockService({ clock: createManualClock(0) });
  service.account("test-key").clock.setTime(8.64e15);
  service.clock.advance(1_000);
  const answered = await createAsk(service)("POST", "/v1/brands", { name: "Acme" });
  expect(answered.data.created_at).toBe("+275760-09-13T00:00:00.000Z");
});

describe("an account's clock", () => {
  test("leaves a manual clock that was handed in where it is", () => {
    const clock = createManualClock(0);
    const service = createMockService({ accounts, clock });
    const account = service.account("test-a").clock;
    account.advance(100);
    account.advance(100);
    account.setTime(300);
    expect([clock.now(), account.now(), service.account("test-b").clock.now()]).toEqual([
      0, 300, 0,
    ]);
    service.clock.advance(50);
    expect(account.now()).toBe(350);
    expect(() => account.setTime(349)).toThrow(RangeError);
  });

  test("writes the times of its own entries", async () => {
    const service = createMockService({ accounts, clock: createManualClock(0) });
    service.account("test-a").clock.advance(7_000);
    const { data } = await createAsk(service, "test-a")("POST", "/v1/brands", { name: "Acme" });
    expect(data.created_at).toBe("1970-01-01T00:00:07.000Z");
    service.account("test-a").grant("image", { purchased: 1 });
    expect(service.account("test-a").ledger.at(-1)?.at).toBe(7_000);
    expect(service.journal.entries[0]?.at).toBe(7_000);
  });
});
