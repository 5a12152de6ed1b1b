import { createMockService } from "adgen-sdk/mocks";
import { startMockServer } from "adgen-sdk/mocks/server";
import { createMemoryStore } from "adgen-sdk/proxy";
import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { type ChargingService, startChargingService } from "./charging-service.ts";
import type { Clicks } from "./click-in-page.ts";
import { type Fault, http1Faults } from "./faults.ts";
import { type RelayOptions, startRelay } from "./relay.ts";
import { repeatedOverHttp1, settings } from "./repeated-by-chromium.ts";
import { type Submitted, useChromium, withoutChromium } from "./use-chromium.ts";
import { type Handle, passOn, remember, startWebApp } from "./web-app.ts";

/** Set by click-in-page.ts. */
declare const clicks: Clicks;

/** One click for each fault, seen from all sides. */
interface Clicked extends Submitted {
  /** Counts the POSTs that Chromium has sent. */
  readonly sent: (fault: string) => number;
  readonly charged: (fault: string) => number;
}

describe.skipIf(withoutChromium)("one click in Chromium", () => {
  const visit = useChromium();

  /** Clicks once for each prompt: the relay breaks the first POST of those that have a fault. */
  const clickAll = async (
    service: ChargingService,
    handles: readonly ((service: string) => Handle)[],
    prompts: readonly string[],
    options: Omit<RelayOptions, "targets">,
  ): Promise<Clicked> => {
    const targets = await Promise.all(handles.map((handle) => startWebApp(handle(service.url))));
    const relay = await startRelay({ targets, ...options });
    const submitted = await (await visit(relay.url, "ada")).submitAll(prompts);
    const sent = (fault: string) => relay.prompts.filter((prompt) => prompt === fault).length;
    return { ...submitted, sent, charged: service.chargesOf };
  };

  describe.each(settings)("over $protocol", ({ protocol, faults, repeated }) => {
    const names = Object.keys(faults);
    let bare: Clicked;
    let early: Clicked;
    let late: Clicked;

    beforeAll(async () => {
      const start = startChargingService;
      const [first, second, third] = await Promise.all([start(), start(), start()]);
      const options = { protocol, faults };
      [bare, early, late] = await Promise.all([
        clickAll(first, [passOn], names, options),
        clickAll(second, [remember], names, { ...options, moment: second.charged }),
        clickAll(third, [remember], names, options),
      ]);
    });

    test.each(repeated)("is paid twice without a proxy's memory when a relay %s", (fault) => {
      const hint = "Chromium has changed: correct the table and docs/guides/money.md.";
      expect(bare.sent(fault), hint).toBe(2);
      expect(bare.charged(fault)).toBe(2);
      expect(bare.ends[fault]).toMatch(/^job-/);
    });

    test.each(names)("is paid once when a relay %s", (fault) => {
      const isRepeated = repeated.includes(fault);
      const id = `job-${names.indexOf(fault) + 1}`;
      for (const { sent, charged, ends, listed } of [early, late]) {
        expect(sent(fault)).toBe(isRepeated ? 2 : 1);
        expect(charged(fault)).toBe(1);
        // The repeated POST gets the first one's job.
        expect(ends[fault]).toEqual(isRepeated ? id : expect.stringMatching(/\/unknown$/));
        expect(listed).toContain(id);
      }
    });
  });

  test("is paid once when another proxy of the same memory gets the repeated POST", async () => {
    const store = createMemoryStore();
    const handle = (url: string): Handle => remember(url, { store });
    const faults = { one: http1Faults["resets the connection"], two: http1Faults["answers 421"] };
    const names = Object.keys(faults);
    const service = await startChargingService();
    const options = { protocol: "HTTP/1.1", faults, moment: service.charged } as const;

    const { ends, sent, charged } = await clickAll(service, [handle, handle], names, options);

    expect(ends).toEqual({ one: "job-1", two: "job-2" });
    expect(names.map(sent)).toEqual([2, 2]);
    expect(names.map(charged)).toEqual([1, 1]);
  });

  describe("when the service fails after the charge", () => {
    const faults: Readonly<Record<string, Fault>> = http1Faults;
    const names = Object.keys(faults);
    let alone: Clicked;
    let both: Clicked;

    beforeAll(async () => {
      const start = () => startChargingService((prompt) => faults[prompt]);
      const [first, second] = await Promise.all([start(), start()]);
      const protocol = "HTTP/1.1";
      [alone, both] = await Promise.all([
        clickAll(first, [remember], names, { protocol, faults: {} }),
        clickAll(second, [remember], names, { protocol, faults }),
      ]);
    });

    test.each(names)("is paid once, and unknown: it %s", (fault) => {
      expect(alone.charged(fault)).toBe(1);
      expect(alone.ends[fault]).toBe("server_error/unknown");
    });

    test.each(names)("is paid once when the relay fails, too: each %s", (fault) => {
      const isRepeated = repeatedOverHttp1.some((name) => name === fault);
      expect(both.sent(fault)).toBe(isRepeated ? 2 : 1);
      expect(both.charged(fault)).toBe(1);
      expect(both.ends[fault]).toMatch(/\/unknown$/);
    });
  });

  test("is paid once when a worker of the page submits, too", async () => {
    const service = await startChargingService();
    const targets = [await startWebApp(remember(service.url))];
    const faults = { one: http1Faults["resets the connection"] };
    const relay = await startRelay({ protocol: "HTTP/1.1", targets, faults });
    const worker = await (await visit(relay.url, "ada")).openWorker();
    await expect.poll(() => worker.evaluate(() => "clicks" in globalThis)).toBe(true);

    const ends = await worker.evaluate(() => clicks.submitAll(["one"]));

    expect(ends).toEqual(["job-1"]);
    expect(relay.prompts).toEqual(["one", "one"]);
    expect(service.chargesOf("one")).toBe(1);
  });

  const leave: Record<string, (page: Page) => Promise<unknown>> = {
    "closes the tab": (page) => page.close(),
    "goes elsewhere": (page) => page.goto("about:blank"),
    "aborts the call": (page) => page.evaluate(() => clicks.abort()),
  };

  test("is paid once when the person leaves, and its job is found by that person alone", async () => {
    const service = await startChargingService();
    const app = await startWebApp(remember(service.url));
    const [ada, bob] = await Promise.all([visit(app, "ada"), visit(app, "bob")]);
    await Promise.all(
      Object.entries(leave).map(async ([prompt, go]) => {
        const page = await ada.open();
        // The page that runs it may be gone at its end.
        page.evaluate((text) => clicks.submit(text), prompt).catch(() => {});
        await service.charged(prompt);
        await go(page);
      }),
    );
    await expect
      .poll(async () => (await ada.listJobs()).sort(), { interval: 100 })
      .toEqual(["job-1", "job-2", "job-3"]);
    expect(await bob.listJobs()).toEqual([]);
    for (const prompt of Object.keys(leave)) expect(service.chargesOf(prompt)).toBe(1);
  });

  test("is one charge in the mock's ledger, whichever side resets", async () => {
    const service = createMockService();
    const server = await startMockServer({ service });
    const faults = { first: http1Faults["resets the connection"] };
    const targets = [await startWebApp(remember(server.url))];
    const relay = await startRelay({ protocol: "HTTP/1.1", targets, faults });
    const ada = await visit(relay.url, "ada");
    const account = service.account("test-key");

    const { ends } = await ada.submitAll(["first"]);
    expect(relay.prompts).toEqual(["first", "first"]);
    service.faults.play({ kind: "reset", accepted: true }, { operation: "jobs.submit" });
    const broken = await ada.submitAll(["second"]);
    expect(broken.ends).toEqual({ second: "server_error/unknown" });

    expect(account.jobs.all[1]?.job_id).toBe(ends["first"]);
    const charges = account.ledger.filter(({ reason }) => reason === "charge");
    expect(charges.map(({ jobId }) => jobId)).toEqual(
      account.jobs.all.map(({ job_id }) => job_id).reverse(),
    );
    expect(charges).toHaveLength(2);
    await server.close();
  });
});
