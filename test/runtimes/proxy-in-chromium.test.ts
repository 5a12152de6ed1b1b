import { createMockService } from "adgen-sdk/mocks";
import { startMockServer } from "adgen-sdk/mocks/server";
import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { type ChargingService, startChargingService } from "./charging-service.ts";
import type { Clicks } from "./click-in-page.ts";
import { type Fault, http1Faults, http2Faults } from "./faults.ts";
import type { Protocol } from "./loopback-server.ts";
import { startRelay } from "./relay.ts";
import { repeatedOverHttp1, repeatedOverHttp2 } from "./repeated-by-chromium.ts";
import { useChromium, withoutChromium } from "./use-chromium.ts";
import { type Handle, passOn, remember, startWebApp } from "./web-app.ts";

/** Set by click-in-page.ts. */
declare const clicks: Clicks;

type Faults = Readonly<Record<string, Fault>>;

interface Setting {
  readonly protocol: Protocol;
  readonly faults: Faults;
  readonly repeated: readonly string[];
}

const settings: readonly Setting[] = [
  { protocol: "HTTP/1.1", faults: http1Faults, repeated: repeatedOverHttp1 },
  { protocol: "HTTP/2", faults: http2Faults, repeated: repeatedOverHttp2 },
];

/** What came of one click for each fault. */
interface Clicked {
  /** Id of the job, or the error's code and outcome, as the page was told. */
  readonly ends: Readonly<Record<string, string>>;
  /** Jobs that the person sees afterwards. */
  readonly listed: readonly string[];
  /** Counts the POSTs that Chromium has sent. */
  readonly sent: (fault: string) => number;
  readonly charged: (fault: string) => number;
}

describe.skipIf(withoutChromium)("one click in Chromium", { timeout: 30_000 }, () => {
  const visit = useChromium();

  /** Clicks once for each fault: the relay breaks the first POST of each click. */
  const clickAll = async (
    protocol: Protocol,
    faults: Faults,
    handle: (service: string) => Handle,
    service: ChargingService,
    moment?: (prompt: string) => Promise<void>,
  ): Promise<Clicked> => {
    const target = await startWebApp(handle(service.url));
    const relay = await startRelay({ protocol, target, faults, moment });
    const ada = await visit(relay.url, "ada");
    const ends = await ada.submitAll(Object.keys(faults));
    const listed = await ada.listJobs();
    const sent = (fault: string) => relay.prompts.filter((prompt) => prompt === fault).length;
    return { ends, listed, sent, charged: service.chargesOf };
  };

  /** All ways at once, because most of their time is waiting. */
  const clickAllWays = async ({ protocol, faults }: Setting) => {
    const start = startChargingService;
    const [first, second, third] = await Promise.all([start(), start(), start()]);
    const failing = await start(() => http1Faults["resets the connection"]);
    const [bare, early, late, broken] = await Promise.all([
      clickAll(protocol, faults, passOn, first),
      clickAll(protocol, faults, remember, second, second.charged),
      clickAll(protocol, faults, remember, third),
      clickAll(protocol, faults, remember, failing),
    ]);
    return { bare, early, late, broken };
  };
  const clicked = new Map<Protocol, Awaited<ReturnType<typeof clickAllWays>>>();
  beforeAll(async () => {
    await Promise.all(
      settings.map(async (setting) => clicked.set(setting.protocol, await clickAllWays(setting))),
    );
  });

  describe.each(settings)("over $protocol", ({ protocol, faults, repeated }) => {
    const names = Object.keys(faults);
    const find = (way: "bare" | "early" | "late" | "broken"): Clicked => {
      const found = clicked.get(protocol)?.[way];
      if (found === undefined) throw new Error("Nobody has clicked.");
      return found;
    };

    test.each(repeated)("is paid twice without a proxy's memory when a relay %s", (fault) => {
      const hint = "Chromium has changed: correct the table and docs/guides/money.md.";
      const bare = find("bare");
      expect(bare.sent(fault), hint).toBe(2);
      expect(bare.charged(fault)).toBe(2);
      expect(bare.ends[fault]).toMatch(/^job-/);
    });

    test.each(names)("is paid once when a relay %s", (fault) => {
      const isRepeated = repeated.includes(fault);
      const id = `job-${names.indexOf(fault) + 1}`;
      for (const { sent, charged, ends, listed } of [find("early"), find("late")]) {
        expect(sent(fault)).toBe(isRepeated ? 2 : 1);
        expect(charged(fault)).toBe(1);
        // The repeated POST gets the first one's job.
        expect(ends[fault]).toEqual(isRepeated ? id : expect.stringMatching(/\/unknown$/));
        expect(listed).toContain(id);
      }
    });

    test.each(names)("is paid once when a relay %s, and the service resets", (fault) => {
      const broken = find("broken");
      expect(broken.charged(fault)).toBe(1);
      expect(broken.ends[fault]).toMatch(/\/unknown$/);
    });
  });

  describe("when the service fails after the charge", () => {
    const faults: Faults = http1Faults;
    const names = Object.keys(faults);
    let service: ChargingService;
    let ends: Readonly<Record<string, string>>;

    beforeAll(async () => {
      service = await startChargingService((prompt) => faults[prompt]);
      const ada = await visit(await startWebApp(remember(service.url)), "ada");
      ends = await ada.submitAll(names);
    });

    test.each(names)("is paid once, and unknown: it %s", (fault) => {
      expect(service.chargesOf(fault)).toBe(1);
      expect(ends[fault]).toBe("server_error/unknown");
    });
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
      .poll(async () => (await ada.listJobs()).sort(), { interval: 100, timeout: 5_000 })
      .toEqual(["job-1", "job-2", "job-3"]);
    expect(await bob.listJobs()).toEqual([]);
    for (const prompt of Object.keys(leave)) expect(service.chargesOf(prompt)).toBe(1);
  });

  test("is one charge in the mock's ledger, whichever side resets", async () => {
    const service = createMockService();
    const server = await startMockServer({ service });
    const faults = { first: http1Faults["resets the connection"] };
    const target = await startWebApp(remember(server.url));
    const relay = await startRelay({ protocol: "HTTP/1.1", target, faults });
    const ada = await visit(relay.url, "ada");
    const account = service.account("test-key");

    const { first } = await ada.submitAll(["first"]);
    expect(relay.prompts).toEqual(["first", "first"]);
    service.faults.play({ kind: "reset", accepted: true }, { operation: "jobs.submit" });
    expect(await ada.submitAll(["second"])).toEqual({ second: "server_error/unknown" });

    expect(account.jobs.all[1]?.job_id).toBe(first);
    const charges = account.ledger.filter(({ reason }) => reason === "charge");
    expect(charges.map(({ jobId }) => jobId)).toEqual(
      account.jobs.all.map(({ job_id }) => job_id).reverse(),
    );
    expect(charges).toHaveLength(2);
    await server.close();
  });
});
