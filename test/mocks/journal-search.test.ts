import { describe, expect, test } from "vitest";
import { createManualClock, createMockService, type MockService } from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";

/** Seven requests: three good ones, two 4xx, one 503 and one without an answer. */
const createBusy = async (): Promise<MockService> => {
  const service = createMockService({
    clock: createManualClock(),
    accounts: { "test-key": {}, "test-other": {} },
  });
  const ask = createAsk(service);
  await ask("GET", "/v1/brands");
  await ask("POST", "/v1/brands", { name: "Lemonade (50% off)" });
  await ask("POST", "/v1/jobs", { action: "nothing" });
  await ask("GET", "/v1/nowhere");
  service.faults.play({ kind: "status", status: 503 });
  await ask("GET", "/v1/brands");
  service.faults.play({ kind: "reset" });
  await ask("GET", "/v1/jobs").catch(() => {});
  await createAsk(service, "test-other")("GET", "/v1/jobs");
  return service;
};

const numbers = ({ entries }: ReturnType<MockService["journal"]["search"]>): number[] =>
  entries.map(({ number }) => number);

describe("a search of the journal", () => {
  test("gives the newest first, and counts each class of answers", async () => {
    const { journal } = await createBusy();
    const page = journal.search({ limit: 3 });
    expect(numbers(page)).toEqual([7, 6, 5]);
    expect(page).toMatchObject({ total: 7, newer: 0, older: 4 });
    expect(page.counts).toEqual({ "2xx": 3, "4xx": 2, "5xx": 1, other: 0, none: 1 });
  });

  test("keeps the counts of all classes while it shows one of them", async () => {
    const { journal } = await createBusy();
    const page = journal.search({ answered: "4xx", limit: 10 });
    expect(numbers(page)).toEqual([4, 3]);
    expect(page.total).toBe(2);
    expect(page.counts).toMatchObject({ "2xx": 3, "4xx": 2, none: 1 });
  });

  test.each([
    [{ account: "test-other" }, [7]],
    [{ account: "test-unknown" }, []],
    [{ operation: "brands.list" as const }, [5, 1]],
    [{ fault: "reset" as const }, [6]],
    [{ fault: true }, [6, 5]],
    [{ fault: false }, [7, 4, 3, 2, 1]],
    [{ answered: "none" as const }, [6]],
    [{ text: "lemonade (50% OFF)" }, [2]],
    [{ text: "invalid ACTION" }, [3]],
    [{ text: "/nowhere" }, [4]],
    [{ text: ".*" }, []],
    [{ text: "" }, [7, 6, 5, 4, 3, 2, 1]],
  ])("finds by %j", async (search, expected) => {
    const { journal } = await createBusy();
    expect(numbers(journal.search({ ...search, limit: 10 }))).toEqual(expected);
  });

  test("stops at an entry, and counts what came later", async () => {
    const { journal } = await createBusy();
    const page = journal.search({ until: 4, limit: 2 });
    expect(numbers(page)).toEqual([4, 3]);
    expect(page).toMatchObject({ total: 7, newer: 3, older: 2 });
    const newer = journal.search({ until: 6, limit: 2 });
    expect(numbers(newer)).toEqual([6, 5]);
  });

  test("finds a request by its id", async () => {
    const { journal } = await createBusy();
    const [entry] = journal.find({ number: 3 });
    expect(numbers(journal.search({ text: entry?.requestId ?? "", limit: 5 }))).toEqual([3]);
  });

  test("sees one account's requests only, when it is that account's journal", async () => {
    const service = await createBusy();
    const page = service.account("test-other").journal.search({ limit: 5 });
    expect(numbers(page)).toEqual([7]);
    expect(page.total).toBe(1);
  });
});
