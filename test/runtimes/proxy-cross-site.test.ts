import type { ProxyOptions } from "adgen-sdk/proxy";
import { beforeAll, describe, expect, test } from "vitest";
import type { Attacks, Departures } from "./attack-in-page.ts";
import type { CallFromElsewhere } from "./call-from-elsewhere-in-page.ts";
import { type ChargingService, startChargingService } from "./charging-service.ts";
import { bundleForPage } from "./programs.ts";
import { type Person, useChromium, withoutChromium } from "./use-chromium.ts";
import { type Handle, passOn, remember, startWebApp } from "./web-app.ts";

/** Set by the entries for pages. */
declare const attacks: Attacks;
declare const departures: Departures;
declare const callFromElsewhere: CallFromElsewhere;

/** One request at the app, and its answer. */
interface Seen {
  readonly method: string;
  readonly cookie: string | null;
  readonly origin: string | null;
  readonly site: string | null;
  readonly status: number;
  /** Headers of the answer that let pages of other origins read it. */
  readonly allowed: readonly string[];
}

/** Writes down what comes to an app, and what it answers. */
const watch =
  (handle: Handle, seen: Seen[]): Handle =>
  async (request) => {
    const { method, headers } = request;
    const [cookie = null, origin = null, site = null] = ["cookie", "origin", "sec-fetch-site"].map(
      (name) => headers.get(name),
    );
    const response = await handle(request);
    const names = [...response.headers.keys()];
    const allowed = names.filter((name) => name.startsWith("access-control-"));
    seen.push({ method, cookie, origin, site, status: response.status, allowed });
    return response;
  };

interface App {
  readonly url: string;
  readonly service: ChargingService;
  readonly seen: Seen[];
  /** The user of the app, who has signed in, and has opened a page of somebody else. */
  readonly ada: Person;
}

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

  const startApp = async (handle: (service: string) => Handle): Promise<App> => {
    const service = await startChargingService();
    const seen: Seen[] = [];
    const url = await startWebApp(watch(handle(service.url), seen));
    return { url, service, seen, ada: await visit(url, "ada") };
  };

  /** Plays every attack from one origin, one after the other. */
  const attackFrom = async (origin: string, { url, seen, ada }: App) => {
    const page = await ada.open(origin);
    await page.evaluate(script);
    const found: (readonly [string, Seen])[] = [];
    /** Plays one attack, and waits until it has arrived. */
    const arrive = async (name: string, play: () => Promise<string>): Promise<void> => {
      const { length } = seen;
      expect(await play(), name).toBe("nothing");
      await expect.poll(() => seen.length, { message: name }).toBeGreaterThan(length);
      for (const one of seen.slice(length)) found.push([name, one]);
    };
    const target = `${url}/adgen`;
    for (const name of await page.evaluate(() => Object.keys(attacks))) {
      const play = (all: string[]) => attacks[all[0] ?? ""]?.(all[1] ?? "") ?? "not there";
      await arrive(name, () => page.evaluate(play, [name, target]));
    }
    for (const name of ["a form", "a link"] as const) {
      await page.goto(origin);
      await page.evaluate(script);
      await arrive(`${name} that takes the tab along`, async () => {
        await page.evaluate(([way, to]) => departures[way](to), [name, target] as const);
        await page.waitForURL(`${target}/**`);
        return "nothing";
      });
    }
    return found;
  };

  test.each(hosts)(
    "on %s could spend the user's credits, if nobody looked where it is",
    async (host) => {
      const { url, service, seen, ada } = await startApp(passOn);
      const page = await ada.open(elsewhere(host));
      await page.evaluate(script);
      await page.evaluate((to) => attacks["a form of type text/plain"]?.(to), `${url}/adgen`);
      expect(seen).toMatchObject([{ cookie: "user=ada", status: 202 }]);
      expect(service.chargesOf("Not by Ada")).toBe(1);
    },
  );

  test.each(hosts)("on %s gets nothing through the proxy", async (host) => {
    const app = await startApp(remember);
    const origin = elsewhere(host);
    const found = await attackFrom(origin, app);

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
    expect(new Set(found.map(([name]) => name)).size).toBe(20);
    expect(app.service.requests()).toBe(0);
  });

  test("is served when the proxy lists its origin", async () => {
    const origin = elsewhere("localhost");
    const options: ProxyOptions = {
      origins: [origin],
      limits: [{ windowMs: 86_400_000, jobs: 1 }],
    };
    const { url, seen, service, ada } = await startApp((target) => remember(target, options));
    const page = await ada.open(origin);
    await page.evaluate(await bundleForPage("call-from-elsewhere-in-page.ts"));
    const told = await page.evaluate((to) => callFromElsewhere(to), `${url}/adgen`);

    expect(told).toEqual({
      jobId: "job-1",
      requestId: "request-1",
      failures: {
        "over the limit": "payment_required/refused, later",
        "an unknown brand, changed": "not_found/refused",
        "an unknown brand, removed": "not_found/refused",
        "no cookie": "unauthorized/undefined",
      },
    });
    expect(seen.filter(({ method }) => method === "OPTIONS").length).toBeGreaterThan(0);
    expect(service.chargesOf("From elsewhere")).toBe(1);

    // The list names origins, not hosts: the same server by another name is somebody else.
    const stranger = await ada.open(elsewhere("127.0.0.1"));
    await stranger.evaluate(script);
    const read = await stranger.evaluate((to) => attacks["a GET with CORS"]?.(to), `${url}/adgen`);
    expect(read).toBe("nothing");
    expect(seen.at(-1)).toMatchObject({ status: 403, allowed: [] });
  });
});
