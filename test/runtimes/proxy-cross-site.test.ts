import type { ProxyOptions } from "adgen-sdk/proxy";
import { beforeAll, describe, expect, test } from "vitest";
import type { Attacks } from "./attack-in-page.ts";
import { startChargingService } from "./charging-service.ts";
import type { Clicks } from "./click-in-page.ts";
import { bundleForPage } from "./programs.ts";
import { useChromium, withoutChromium } from "./use-chromium.ts";
import { type Handle, remember, startWebApp } from "./web-app.ts";

/** Set by the entries for pages. */
declare const attacks: Attacks;
declare const clicks: Clicks;

/** Writes down what comes to an app, and what it answers. */
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

describe.skipIf(withoutChromium)("a page of another origin in Chromium", () => {
  const visit = useChromium();
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
    const { seen, watched } = watch(remember(service.url, options));
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

  test.each(hosts)("on %s gets nothing through the proxy", async (host) => {
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
      // They are real: the browser has sent the user's cookie, but for questions beforehand.
      expect({ name, cookie }).toEqual({
        name,
        cookie: method === "OPTIONS" ? null : "user=ada",
      });
      expect([origin, "null", null]).toContain(from);
      expect(site).toMatch(/^(same|cross)-site$/);
    }
    expect(service.requests()).toBe(0);
  });

  test("is served when the proxy lists its origin", async () => {
    const origin = elsewhere("localhost");
    const limits = [{ windowMs: 86_400_000, jobs: 1 }];
    const { target, seen, service, open, attack } = await startApp({ origins: [origin], limits });
    const page = await open(origin);
    const told = await page.evaluate((to) => clicks.callElsewhere(to), target);
    expect(told).toEqual({
      ...{ jobId: "job-1", requestId: "request-1" },
      failures: [
        "payment_required/refused, later",
        ...["not_found/refused", "not_found/refused", "unauthorized/undefined"],
      ],
    });
    expect(seen.filter(({ method }) => method === "OPTIONS").length).toBeGreaterThan(0);
    expect(service.chargesOf("From elsewhere")).toBe(1);

    // The list names origins, not hosts: the same server by another name is somebody else.
    const stranger = await open(elsewhere("127.0.0.1"));
    const read = await stranger.evaluate(attack, ["a GET with CORS", target]);
    expect(read).toBe("nothing");
    expect(seen.at(-1)).toMatchObject({ status: 403, allowed: [] });
  });
});
