import { createMockService } from "adgen-sdk/mocks";
import { startMockServer } from "adgen-sdk/mocks/server";
import { createMemoryStore } from "adgen-sdk/proxy";
import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { type ChargingService, expectWhole, startChargingService } from "./charging-service.ts";
import type { Clicks } from "./click-in-page.ts";
import { faultOf, faultsOver, type NamedFault } from "./faults.ts";
import { type RelayOptions, startRelay } from "./relay.ts";
import { type Submitted, useChromium, withoutChromium } from "./use-chromium.ts";
import { type Handle, remember, startWebApp } from "./web-app.ts";

/** Set by click-in-page.ts. */
declare const clicks: Clicks;

/** One click for each fault, seen from all sides. */
interface Clicked extends Submitted {
  /** Counts the POSTs that Chromium has sent. */
  readonly sent: (fault: string) => number;
  readonly charged: (fault: string) => number;
}

const protocols = ["HTTP/1.1", "HTTP/2"] as const;

const isRepeated = ({ repeatedBy }: NamedFault): boolean => repeatedBy.includes("Chromium");

describe.skipIf(withoutChromium)("one click in Chromium", () => {
  const visit = useChromium();

  /** Clicks once for each prompt, through a relay that breaks the first POST of those with a fault. */
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

  describe.each(protocols)("over %s", (protocol) => {
    const faults = faultsOver[protocol];
    const names = faults.map(({ name }) => name);
    const faultIn = (prompt: string) => faults.find(({ name }) => name === prompt)?.fault;
    let service: ChargingService;
    let bare: Submitted;
    let early: Clicked;
    let late: Clicked;

    beforeAll(async () => {
      service = await startChargingService({
        protocol,
        faultOf: (prompt, number) => (number === 1 ? faultIn(prompt) : undefined),
      });
      const [second, third] = await Promise.all([startChargingService(), startChargingService()]);
      const options = { protocol, faultOf: faultIn };
      [bare, early, late] = await Promise.all([
        visit(service.url, "ada").then((ada) => ada.submitAll(names)),
        clickAll(second, [remember], names, { ...options, moment: second.charged }),
        clickAll(third, [remember], names, options),
      ]);
    });

    test.each(faults)(
      "without a proxy is paid as often as Chromium sends it when the service $name",
      (fault) => {
        const posts = service.posts.filter(({ prompt }) => prompt === fault.name);
        const hint = "Chromium has changed: correct the table of faults and docs/guides/money.md.";
        expect(posts, hint).toHaveLength(isRepeated(fault) ? 2 : 1);
        // The caller does not learn that the service has read the POST twice.
        expect(bare.ends[fault.name]).toMatch(isRepeated(fault) ? /^job-/ : /\/unknown$/);
        const [first, again = first] = posts;
        if (first === undefined) return;
        expect(first.reused).toBe(true);
        expectWhole(first, { protocol, keepsLength: true });
        // A repeated POST may come by another protocol.
        expect(again?.body).toBe(first.body);
      },
    );

    test.each(faults)("is paid once through a proxy when a relay $name", (fault) => {
      const id = `job-${faults.indexOf(fault) + 1}`;
      for (const { sent, charged, ends, listed } of [early, late]) {
        expect(sent(fault.name)).toBe(isRepeated(fault) ? 2 : 1);
        expect(charged(fault.name)).toBe(1);
        // The repeated POST gets the first one's job.
        expect(ends[fault.name]).toEqual(
          isRepeated(fault) ? id : expect.stringMatching(/\/unknown$/),
        );
        expect(listed).toContain(id);
      }
    });
  });

  test("is paid once when another proxy of the same memory gets the repeated POST", async () => {
    const store = createMemoryStore();
    const handle = (url: string): Handle => remember(url, { store });
    const names = ["resets the connection", "answers 421"];
    const service = await startChargingService();
    const options = { protocol: "HTTP/1.1", faultOf, moment: service.charged } as const;

    const { ends, sent, charged } = await clickAll(service, [handle, handle], names, options);

    expect(Object.values(ends)).toEqual(["job-1", "job-2"]);
    expect(names.map(sent)).toEqual([2, 2]);
    expect(names.map(charged)).toEqual([1, 1]);
  });

  test("is paid once, and unknown, when the service fails after the charge, and the relay too", async () => {
    const faults = faultsOver["HTTP/1.1"];
    const names = faults.map(({ name }) => name);
    const options = { protocol: "HTTP/1.1", faultOf: () => undefined } as const;
    const [first, second] = await Promise.all([
      startChargingService({ faultOf }),
      startChargingService({ faultOf }),
    ]);
    const [alone, both] = await Promise.all([
      clickAll(first, [remember], names, options),
      clickAll(second, [remember], names, { ...options, faultOf }),
    ]);
    for (const fault of faults) {
      const { name } = fault;
      expect([name, alone.charged(name), both.charged(name)]).toEqual([name, 1, 1]);
      expect([name, both.sent(name)]).toEqual([name, isRepeated(fault) ? 2 : 1]);
      expect([name, alone.ends[name]]).toEqual([name, "server_error/unknown"]);
      expect(both.ends[name], name).toMatch(/\/unknown$/);
    }
  });

  test("is paid once when a worker of the page submits, too", async () => {
    const service = await startChargingService();
    const targets = [await startWebApp(remember(service.url))];
    const relay = await startRelay({ protocol: "HTTP/1.1", targets, faultOf });
    const prompt = "resets the connection";
    const worker = await (await visit(relay.url, "ada")).openWorker();
    await expect.poll(() => worker.evaluate(() => "clicks" in globalThis)).toBe(true);

    const ends = await worker.evaluate((text) => clicks.submitAll([text]), prompt);

    expect(ends).toEqual(["job-1"]);
    expect(relay.prompts).toEqual([prompt, prompt]);
    expect(service.chargesOf(prompt)).toBe(1);
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
    const first = "resets the connection";
    const targets = [await startWebApp(remember(server.url))];
    const relay = await startRelay({ protocol: "HTTP/1.1", targets, faultOf });
    const ada = await visit(relay.url, "ada");
    const account = service.account("test-key");

    const { ends } = await ada.submitAll([first]);
    expect(relay.prompts).toEqual([first, first]);
    service.faults.play({ kind: "reset", accepted: true }, { operation: "jobs.submit" });
    const broken = await ada.submitAll(["second"]);
    expect(broken.ends).toEqual({ second: "server_error/unknown" });

    expect(account.jobs.all[1]?.job_id).toBe(ends[first]);
    const charges = account.ledger.filter(({ reason }) => reason === "charge");
    expect(charges.map(({ jobId }) => jobId)).toEqual(
      account.jobs.all.map(({ job_id }) => job_id).reverse(),
    );
    expect(charges).toHaveLength(2);
    await server.close();
  });
});
