import { describe, expect, test } from "vitest";
import { createManualClock, type MockServiceOptions } from "../../mocks/index.ts";
import { origin } from "./admin-ask.ts";
import { atOnce, setUp as createSetUp, minute } from "./set-up.ts";

const halfAnHour = 30 * minute;

const setUp = (options: MockServiceOptions = {}) => {
  const made = createSetUp({ clock: { now: Date.now }, ...options });
  const { service, order } = made;
  return {
    ...made,
    /** Distance of the service's clock from this computer's; two readings are not of one instant. */
    offset: () => Math.round((service.clock.now() - Date.now()) / 1000) * 1000 + 0,
    goAhead: (advanceMs = halfAnHour) => order("POST", "/clock", { advanceMs }),
    goBack: () => order("POST", "/clock/real"),
  };
};

type Made = ReturnType<typeof setUp>;

describe("the way back to real time", () => {
  test("is open while nothing has happened since the clock was moved", async () => {
    const { service, ask, account, offset, goAhead, goBack } = setUp();
    await ask("POST", "/v1/brands", { name: "Acme" });
    service.faults.play({ kind: "stall" }, { times: 3 });
    service.jobs.next({ fail: "moderation" });
    await goAhead();
    expect(offset()).toBe(halfAnHour);
    const { status, data } = await goBack();
    expect([status, data.time]).toEqual([200, new Date(data.now).toISOString()]);
    expect(offset()).toBe(0);
    expect(account.brands).toHaveLength(1);
    expect(service.faults.planned).toMatchObject([{ remaining: 3 }]);
    expect(service.jobs.planned).toMatchObject([{ fail: "moderation" }]);
    expect(service.journal.count).toBe(1);
  });

  const twoSeconds = { timeline: { queuedMs: 1_000, processingMs: 1_000 } };
  const vanishing = { timeline: atOnce, expiry: "all-not-found" } as const;

  test.each<[string, string, (made: Made, id: string) => unknown, MockServiceOptions?]>([
    ["a job was submitted", "1 × job", ({ submit }) => submit()],
    ["a brand was made", "1 × brand", ({ ask }) => ask("POST", "/v1/brands", { name: "Acme" })],
    [
      "an ad was saved",
      "1 × saved ad",
      ({ ask, account }) =>
        ask("POST", "/v1/saved-ads", { brand_id: account.brands[0]?.id, headline: "Buy" }),
    ],
    ["a poll has seen a later state", "1 × job", ({ poll }, id) => poll(id), twoSeconds],
    ["a poll has missed a job", "1 × job", ({ poll }, id) => poll(id), vanishing],
    ["a grant", "1 × ledger entry", ({ account }) => account.grant("image", { monthly: 1 })],
    ["an account was opened", "1 × account", ({ service }) => service.addAccount("test-late")],
  ])("is closed after %s", async (_, words, act, options) => {
    const made = setUp(options);
    await made.ask("POST", "/v1/brands", { name: "Acme" });
    const id = await made.submit();
    await made.goAhead();
    await act(made, id);
    const { status, error } = await made.goBack();
    expect([status, error]).toEqual([409, expect.stringContaining(words)]);
    expect(error).toContain("A reset takes them, and the time, back");
    expect(made.offset()).toBe(halfAnHour);
  });

  test.each([
    ["finished before", 0, "completed"],
    ["is as it was", halfAnHour / 2, "processing"],
  ])("is open after a poll of a job that %s", async (_, processingMs, status) => {
    const timeline = { queuedMs: 0, processingMs };
    const { order, submit, poll, offset, goAhead, goBack } = setUp({ timeline });
    const id = await submit();
    await goAhead(minute);
    expect((await poll(id)).data.status).toBe(status);
    expect((await order("GET", "/state")).status).toBe(200);
    expect((await goBack()).status).toBe(200);
    expect(offset()).toBe(0);
    expect((await poll(id)).data.status).toBe(status);
  });

  test("goes by the own clock of each account", async () => {
    const { ask, service, account, goAhead, goBack } = setUp();
    account.clock.advance(halfAnHour);
    await ask("POST", "/v1/brands", { name: "Acme" });
    await goAhead(5_000);
    expect((await goBack()).status).toBe(200);
    expect(account.clock.now() - service.clock.now()).toBeGreaterThanOrEqual(halfAnHour - 10);
  });

  test("leads forwards, too, whatever has happened", async () => {
    const { ask, offset, goBack } = setUp({ clock: createManualClock() });
    await ask("POST", "/v1/brands", { name: "Acme" });
    expect((await goBack()).status).toBe(200);
    expect(offset()).toBe(0);
  });
});

test("an exported snapshot is a file of its time that another service restores", async () => {
  const { admin, ask } = setUp({ clock: createManualClock(Date.UTC(2026, 4, 6, 7, 8, 9)) });
  await ask("POST", "/v1/brands", { name: "Acme" });
  const take = (query: string) => admin.fetch(new Request(`${origin}/__mock/snapshot?${query}`));
  const response = await take("download");
  expect(response.headers.get("content-disposition")).toBe(
    'attachment; filename="adgen-mock-2026-05-06T07-08-09.json"',
  );
  const { service, account } = setUp();
  service.restore(await response.json());
  expect(account.brands).toMatchObject([{ name: "Acme" }]);
  expect(service.journal.count).toBe(1);
  const { version, journal } = await (await take("download&journal=false")).json();
  expect([version, journal]).toEqual([1, []]);
});
