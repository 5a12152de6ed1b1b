import { describe, expect, test, vi } from "vitest";
import type { MockFault, MockServiceOptions } from "../../mocks/index.ts";
import { faceNames, faces } from "../helpers/faces.ts";
import { createAsk } from "./ask.ts";
import { setUp as createSetUp } from "./set-up.ts";

const setUp = (options: MockServiceOptions = {}) => {
  const made = createSetUp(options);
  const write = (prompt: string) => made.post({ action: "copy-ad", prompt });
  return { ...made, write, other: made.service.account("test-b") };
};

/** A journal of ten requests, which has forgotten the creation of a brand. */
const forgetBrand = async () => {
  const made = setUp({ journalLimit: 10 });
  await made.ask("POST", "/v1/brands", { name: "Acme" });
  await made.list(10);
  return made;
};

describe("a journal that has forgotten requests", () => {
  test("fails every assertion about them, and says why", async () => {
    const { journal } = await forgetBrand();
    const filter = { operation: "brands.create" } as const;
    const advice = "raise journalLimit, or clear the journal before the part that the test checks";
    const reason = `saw 10 jobs.list.\n  The journal has forgotten 1 earlier request that may fit (journalLimit is 10): ${advice}`;
    expect(() => journal.assertOne(filter)).toThrow(`Expected 1 brands.create;\n  ${reason}`);
    expect(() => journal.assertCount(10)).toThrow(`Expected 10 requests;\n  ${reason}`);
    journal.clear();
    expect([journal.count, journal.forgotten]).toEqual([0, 0]);
    journal.assertNone(filter);
  });

  test("knows the latest number of them", async () => {
    const { service, journal, list } = setUp({ journalLimit: 1 });
    await list(4);
    expect([1, 3, 4].map((number) => journal.countForgotten({ number }))).toEqual([3, 3, 0]);
  });

  test("does not grow with keys and methods that clients invent", async () => {
    const { service, journal } = setUp({ journalLimit: 1 });
    for (let count = 0; count < 1_500; count += 1) {
      await createAsk(service, `test-${count}`)("GET", "/v1/jobs");
    }
    expect(journal.forgotten).toBe(1_499);
    const assert = () => journal.assertNone({ account: "test-key" });
    expect(assert).toThrow("forgotten 499 earlier requests that may fit");
  });
});

test("a journal that is off fails every assertion, and says so", async () => {
  const { journal, other, list } = setUp({ journalLimit: 0 });
  const off =
    "the journal is off (journalLimit is 0) and has seen nothing. Set journalLimit to the number of requests that the test sends, or more";
  expect(() => journal.assertNone()).toThrow(`Expected 0 requests; ${off}`);
  await list(3);
  expect([journal.count, journal.forgotten]).toEqual([0, 3]);
  expect(() => journal.assertCount(3)).toThrow(`Expected 3 requests; ${off}`);
  expect(() => other.journal.assertNone()).toThrow(off);
});

describe("tookMs of an entry", () => {
  test("is the time until the answer was delivered", async () => {
    vi.useFakeTimers();
    const { faults, journal, list } = setUp();
    faults.play({ kind: "latency", ms: 300 });
    const answered = list(1);
    expect(journal.entries[0]?.tookMs).toBeUndefined();
    await vi.advanceTimersByTimeAsync(300);
    await answered;
    expect(journal.entries[0]?.tookMs).toBe(300);
    vi.useRealTimers();
  });

  const delivered: readonly MockFault[] = [
    { kind: "latency", ms: 0 },
    { kind: "status", status: 503 },
    { kind: "drip-body", bytes: 40, everyMs: 1 },
    { kind: "cut-body" },
    { kind: "reset" },
  ];

  test.each(faceNames)("is told by %s, unless no answer went out", async (face) => {
    const { service, faults, journal } = setUp();
    const { baseUrl, fetch: own = fetch, close } = await faces[face](service);
    try {
      for (const fault of delivered) {
        journal.clear();
        faults.play(fault);
        const headers = { authorization: "Bearer test-key" };
        const ask = async () => (await own(`${baseUrl}/v1/jobs`, { headers })).text();
        await ask().catch(() => {});
        const took = journal.assertOne().tookMs ?? 0;
        expect(took > 0, fault.kind).toBe(fault.kind !== "reset");
      }
    } finally {
      await close();
    }
  });
});
