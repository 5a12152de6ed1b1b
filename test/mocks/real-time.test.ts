import { describe, expect, test } from "vitest";
import { createManualClock } from "../../mocks/index.ts";
import { createAdministered, origin } from "./admin-ask.ts";

const halfAnHour = 30 * 60_000;

/** Distance of the service's clock from this computer's; two readings are not of one instant. */
const offsetOf = ({ clock }: { clock: { now(): number } }): number =>
  Math.round((clock.now() - Date.now()) / 1000) * 1000 + 0;

describe("the way back to real time", () => {
  test("is open while nothing has happened since the clock was moved", async () => {
    const { order, ask, service } = createAdministered();
    await ask("POST", "/v1/brands", { name: "Acme" });
    service.faults.play({ kind: "stall" }, { times: 3 });
    service.jobs.next({ fail: "moderation" });
    await order("POST", "/clock", { advanceMs: halfAnHour });
    expect(offsetOf(service)).toBe(halfAnHour);

    const { status, data } = await order("POST", "/clock/real");
    expect(status).toBe(200);
    expect(data.time).toBe(new Date(data.now).toISOString());
    expect(offsetOf(service)).toBe(0);
    expect(service.account("test-key").brands).toHaveLength(1);
    expect(service.faults.planned).toMatchObject([{ remaining: 3 }]);
    expect(service.jobs.planned).toMatchObject([{ fail: "moderation" }]);
    expect(service.journal.count).toBe(1);
  });

  test.each([
    ["a job was submitted", "POST", "/v1/jobs", { action: "generate-ad-copy" }, "1 × job"],
    ["a brand was made", "POST", "/v1/brands", { name: "Acme" }, "1 × brand"],
    [
      "an ad was saved",
      "POST",
      "/v1/saved-ads",
      { brand_id: "brand", headline: "Buy" },
      "1 × saved ad",
    ],
  ])("is closed after %s", async (_, method, path, body, words) => {
    const { order, ask, service } = createAdministered();
    const brand = await ask("POST", "/v1/brands", { name: "Acme" });
    await order("POST", "/clock", { advanceMs: halfAnHour });
    const sent = "brand_id" in body ? { ...body, brand_id: brand.data.id } : body;
    expect((await ask(method, path, sent)).status).toBeLessThan(300);
    const { status, error } = await order("POST", "/clock/real");
    expect(status).toBe(409);
    expect(error).toContain(words);
    expect(error).toContain("A reset takes them, and the time, back");
    expect(offsetOf(service)).toBe(halfAnHour);
  });

  test("is closed after a client has seen an older job in its later state", async () => {
    const { order, ask } = createAdministered({
      timeline: { queuedMs: 1_000, processingMs: 1_000 },
    });
    const { data } = await ask("POST", "/v1/jobs", { action: "generate-ad-copy" });
    await order("POST", "/clock", { advanceMs: halfAnHour - 60_000 });
    expect((await ask("GET", `/v1/jobs/${data.job_id}`)).data.status).toBe("completed");
    expect((await order("POST", "/clock/real")).error).toContain("1 × job");
  });

  test.each([
    ["finished before", 0, "completed"],
    ["is as it was", halfAnHour / 2, "processing"],
  ])("is open after a poll of a job that %s", async (_, processingMs, status) => {
    const { order, ask, service } = createAdministered({ timeline: { queuedMs: 0, processingMs } });
    const { data } = await ask("POST", "/v1/jobs", { action: "generate-ad-copy" });
    await order("POST", "/clock", { advanceMs: 60_000 });
    expect((await ask("GET", `/v1/jobs/${data.job_id}`)).data.status).toBe(status);
    expect((await order("GET", "/state")).status).toBe(200);
    expect((await order("POST", "/clock/real")).status).toBe(200);
    expect(offsetOf(service)).toBe(0);
    expect((await ask("GET", `/v1/jobs/${data.job_id}`)).data.status).toBe(status);
  });

  test("is closed after a finished job was missed by a client", async () => {
    const timeline = { queuedMs: 0, processingMs: 0 };
    const { order, ask } = createAdministered({ timeline, expiry: "all-not-found" });
    const { data } = await ask("POST", "/v1/jobs", { action: "generate-ad-copy" });
    await order("POST", "/clock", { advanceMs: halfAnHour });
    expect((await ask("GET", `/v1/jobs/${data.job_id}`)).status).toBe(404);
    const { status, error } = await order("POST", "/clock/real");
    expect([status, error]).toEqual([409, expect.stringContaining("1 × job")]);
  });

  test("is closed after credits were granted, and after an account was opened", async () => {
    const { order, service } = createAdministered();
    await order("POST", "/clock", { advanceMs: halfAnHour });
    service.account("test-key").grant("image", { monthly: 1 });
    expect((await order("POST", "/clock/real")).error).toContain("1 × ledger entry");
    service.addAccount("test-late");
    expect((await order("POST", "/clock/real")).error).toContain("1 × account");
  });

  test("goes by the own clock of each account", async () => {
    const { order, ask, service } = createAdministered();
    service.account("test-key").clock.advance(halfAnHour);
    await ask("POST", "/v1/brands", { name: "Acme" });
    await order("POST", "/clock", { advanceMs: 5_000 });
    expect((await order("POST", "/clock/real")).status).toBe(200);
    expect(service.account("test-key").clock.now() - service.clock.now()).toBeGreaterThanOrEqual(
      halfAnHour - 10,
    );
  });

  test("leads forwards, too, whatever has happened", async () => {
    const { order, ask, service } = createAdministered({ clock: createManualClock() });
    await ask("POST", "/v1/brands", { name: "Acme" });
    expect((await order("POST", "/clock/real")).status).toBe(200);
    expect(offsetOf(service)).toBe(0);
  });
});

describe("an exported snapshot", () => {
  test("is a file of its time that another service restores", async () => {
    const clock = createManualClock(Date.UTC(2026, 4, 6, 7, 8, 9));
    const { admin, ask } = createAdministered({ clock });
    await ask("POST", "/v1/brands", { name: "Acme" });
    const response = await admin.fetch(new Request(`${origin}/__mock/snapshot?download`));
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="adgen-mock-2026-05-06T07-08-09.json"',
    );
    const other = createAdministered();
    other.service.restore(await response.json());
    expect(other.service.account("test-key").brands).toMatchObject([{ name: "Acme" }]);
    expect(other.service.journal.count).toBe(1);
  });

  test("leaves the journal out when that is asked", async () => {
    const { admin, ask } = createAdministered();
    await ask("GET", "/v1/brands");
    const url = `${origin}/__mock/snapshot?download&journal=false`;
    const taken = await (await admin.fetch(new Request(url))).json();
    expect([taken.version, taken.journal]).toEqual([1, []]);
  });
});
