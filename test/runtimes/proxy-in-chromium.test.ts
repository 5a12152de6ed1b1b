import type { ProxyOptions } from "adgen-sdk/proxy";
import { createMemoryStore } from "adgen-sdk/submissions";
import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { withoutBrowser } from "../page/open-page.ts";
import type { Attacks } from "./attack-in-page.ts";
import { type ChargingService, expectWhole, startChargingService } from "./charging-service.ts";
import type { Clicks } from "./click-in-page.ts";
import { faultByName, faultsOver, type NamedFault } from "./faults.ts";
import { bundleForPage } from "./programs.ts";
import { type Submitted, useChromium } from "./use-chromium.ts";
import {
  createCookieProxy,
  type Handle,
  type RelayOptions,
  startRelay,
  startWebApp,
} from "./web-app.ts";

/** Set by the entries for pages. */
declare const clicks: Clicks;
declare const attacks: Attacks;

/** How clicks reach the service: through a relay, which breaks the first POST of each fault. */
interface Way extends Pick<RelayOptions, "protocol" | "faultOf"> {
  /** Proxies of the app, by the service's URL; the last one gets the repeated POST. */
  readonly handles?: readonly ((service: string) => Handle)[];
  /** The relay breaks while the service works, and not when it has answered. */
  readonly isEarly?: true;
  /** Faults of the service itself. */
  readonly failing?: RelayOptions["faultOf"];
}

const protocols = ["HTTP/1.1", "HTTP/2"] as const;

const isRepeated = ({ repeatedBy }: NamedFault): boolean => repeatedBy.includes("Chromium");

/** Records the requests that reach an app, and its answers. */
const watch = (handle: Handle) => {
  const seen: Awaited<ReturnType<typeof see>>[] = [];
  const see = async ({ method, headers }: Request, response: Response) => ({
    method,
    cookie: headers.get("cookie"),
    origin: headers.get("origin"),
    site: headers.get("sec-fetch-site"),
    status: response.status,
    /** Headers of the answer that let pages of other origins read it. */
    allowed: [...response.headers.keys()].filter((name) => name.startsWith("access-control-")),
  });
  const watched: Handle = async (request) => {
    const response = await handle(request);
    seen.push(await see(request, response));
    return response;
  };
  return { seen, watched };
};

/** Pages of the same site on another port, and of another site. */
const hosts = ["127.0.0.1", "localhost"];

describe.skipIf(withoutBrowser)("in Chromium", () => {
  const visit = useChromium();

  describe("one click", () => {
    /** Clicks once for each prompt, and returns what page, app and service have seen. */
    const clickAll = async (
      prompts: readonly string[],
      { handles = [createCookieProxy], isEarly, failing, ...way }: Way,
    ) => {
      const { url, charged, chargesOf } = await startChargingService(failing);
      const targets = await Promise.all(handles.map((handle) => startWebApp(handle(url))));
      const relay = await startRelay({ targets, moment: isEarly && charged, ...way });
      const submitted = await (await visit(relay.url, "ada")).submitAll(prompts);
      const sent = (fault: string) => relay.prompts.filter((prompt) => prompt === fault).length;
      return { ...submitted, sent, charged: chargesOf };
    };

    describe.each(protocols)("over %s", (protocol) => {
      const faults = faultsOver[protocol];
      const names = faults.map(({ name }) => name);
      const faultIn = (prompt: string) => faults.find(({ name }) => name === prompt)?.fault;
      let service: ChargingService;
      let bare: Submitted;
      let proxied: readonly Awaited<ReturnType<typeof clickAll>>[];

      beforeAll(async () => {
        const failFirst = (prompt: string, number: number) =>
          number === 1 ? faultIn(prompt) : undefined;
        service = await startChargingService(failFirst, protocol);
        const store = createMemoryStore();
        const share = (url: string): Handle => createCookieProxy(url, { store });
        const way = { protocol, faultOf: faultIn };
        [bare, ...proxied] = await Promise.all([
          visit(service.url, "ada").then((ada) => ada.submitAll(names)),
          clickAll(names, way),
          clickAll(names, { ...way, isEarly: true }),
          clickAll(names, { ...way, isEarly: true, handles: [share, share] }),
        ]);
      });

      test.each(faults)(
        "a click without a proxy is paid as often as Chromium sends it when the service $name",
        (fault) => {
          const posts = service.posts.filter(({ prompt }) => prompt === fault.name);
          const hint =
            "Chromium has changed: correct the table of faults and docs/guides/paying-once.md.";
          expect(posts, hint).toHaveLength(isRepeated(fault) ? 2 : 1);
          // The caller doesn't learn that the service has read the POST twice.
          expect(bare.ends[fault.name]).toMatch(isRepeated(fault) ? /^job-/ : /\/unknown$/);
          const [first, again = first] = posts;
          if (first === undefined) return;
          expect(first.reused).toBe(true);
          expectWhole(first, { protocol, keepsLength: true });
          // A repeated POST may come by another protocol.
          expect(again?.body).toBe(first.body);
        },
      );

      test.each(faults)("a click is paid once through a proxy when a relay $name", (fault) => {
        const id = `job-${faults.indexOf(fault) + 1}`;
        for (const { sent, charged, ends, listed } of proxied) {
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

    test("a click is paid once, with an unknown outcome, when the service and the relay fail after the charge", async () => {
      const faults = faultsOver["HTTP/1.1"];
      const prompts = faults.map(({ name }) => name);
      const way = { protocol: "HTTP/1.1", faultOf: faultByName, failing: faultByName } as const;
      const { sent, charged, ends } = await clickAll(prompts, way);
      for (const fault of faults) {
        const { name } = fault;
        expect([name, charged(name), sent(name)]).toEqual([name, 1, isRepeated(fault) ? 2 : 1]);
        expect(ends[name], name).toMatch(/\/unknown$/);
      }
    });

    const leave: Record<string, (page: Page) => Promise<unknown>> = {
      "closes the tab": (page) => page.close(),
      "goes elsewhere": (page) => page.goto("about:blank"),
      "aborts the call": (page) => page.evaluate(() => clicks.abort()),
    };

    test("a click is paid once when the person leaves, and only that person finds its job", async () => {
      const service = await startChargingService();
      const app = await startWebApp(createCookieProxy(service.url));
      const [ada, bob] = await Promise.all([visit(app, "ada"), visit(app, "bob")]);
      await Promise.all(
        Object.entries(leave).map(async ([prompt, go]) => {
          const page = await ada.open();
          // The page that runs the call may be gone before the call ends.
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
  });

  describe("a page of another origin", () => {
    let script: string;
    /** Origins of somebody else, by host. */
    let elsewhere: (host: string) => string;

    beforeAll(async () => {
      const refuse: Handle = async () => new Response(null, { status: 404 });
      const [bundled, url] = await Promise.all([
        bundleForPage("attack-in-page.ts"),
        startWebApp(refuse),
      ]);
      script = bundled;
      elsewhere = (host) => url.replace("127.0.0.1", host);
    });

    /** Starts an app, whose user has signed in, and opens pages of somebody else. */
    const startApp = async (options: ProxyOptions = {}) => {
      const service = await startChargingService();
      const { seen, watched } = watch(createCookieProxy(service.url, options));
      const url = await startWebApp(watched);
      const ada = await visit(url, "ada");
      const open = async (origin: string) => {
        const page = await ada.open(origin);
        await page.evaluate(script);
        return page;
      };
      const attack = (all: string[]) => attacks[all[0] ?? ""]?.(all[1] ?? "") ?? "not there";
      return { target: `${url}/adgen`, service, seen, open, attack };
    };

    test.each(hosts)(
      "a page of another origin on %s gets nothing through the proxy",
      async (host) => {
        const { target, service, seen, open, attack } = await startApp();
        const origin = elsewhere(host);
        const page = await open(origin);
        const names = await page.evaluate(() => Object.keys(attacks));
        expect(names).toHaveLength(19);
        const found: [string, (typeof seen)[number]][] = [];
        for (const name of names) {
          const { length } = seen;
          expect(await page.evaluate(attack, [name, target]), name).toBe("nothing");
          await expect.poll(() => seen.length, { message: name }).toBeGreaterThan(length);
          for (const one of seen.slice(length)) found.push([name, one]);
        }

        for (const [name, { method, cookie, origin: from, site, status, allowed }] of found) {
          expect({ name, status, allowed }).toEqual({ name, status: 403, allowed: [] });
          // The attacks are real: only preflight requests come without the user's cookie.
          expect({ name, cookie }).toEqual({
            name,
            cookie: method === "OPTIONS" ? null : "user=ada",
          });
          expect([origin, "null", null]).toContain(from);
          expect(site).toMatch(/^(same|cross)-site$/);
        }
        expect(service.requests()).toBe(0);
      },
    );
  });
});
