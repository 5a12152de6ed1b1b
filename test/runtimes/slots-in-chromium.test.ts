// The guide's React hook under StrictMode. The proxy remembers the orders for the page.
import { AsyncLocalStorage } from "node:async_hooks";
import { createMockService } from "adgen-sdk/mocks";
import { startMockServer } from "adgen-sdk/mocks/server";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeRecipe } from "../helpers/doc-blocks.ts";
import { useBrowser, withoutBrowser } from "../page/open-page.ts";
import { closeServers } from "./loopback-server.ts";
import { createCookieProxy, startWebApp } from "./web-app.ts";

/** Each tab shows the button. The URL records that it was pressed, so a reload finds the order. */
const app = `
  import { StrictMode, useEffect, useState } from "react";
  import { createRoot } from "react-dom/client";
  import { orderOrFind } from "./order-or-find.ts";
  import { useOrder } from "./use-order.ts";

  const Hero = () => {
    const [slot, setSlot] = useState(location.hash.slice(1));
    useEffect(() => { globalThis.mounts = (globalThis.mounts ?? 0) + 1; }, []);
    const prompt = new URLSearchParams(location.search).get("prompt") ?? "Lemonade";
    const request = slot === "" ? undefined : { action: "generate-ad", prompt };
    const { job, error } = useOrder(slot, request);
    const order = () => { location.hash = "hero-7"; setSlot("hero-7"); };
    const shown = error ? "error " + error.code + " " + error.jobId : job ? job.status + " " + job.job_id : slot ? "ordering" : "none";
    return <><button onClick={order}>Order</button><output>{shown}</output></>;
  };
  /** A page that knows its slot, but not the request that was made for it. */
  const Forgetful = () => {
    const [shown, show] = useState("finding");
    useEffect(() => {
      orderOrFind(location.hash.slice(1), { action: "generate-ad" }).then(
        (job) => show(job.status + " " + job.job_id),
        (error) => show("error " + error.code),
      );
    }, []);
    return <output>{shown}</output>;
  };
  const App = location.search === "?forgetful" ? Forgetful : Hero;
  addEventListener("DOMContentLoaded", () =>
    createRoot(document.body).render(<StrictMode><App /></StrictMode>));
`;

const buildPage = async (): Promise<string> => {
  const resolveDir = writeRecipe("docs/guides/pages.md", undefined, "slots");
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir, loader: "tsx" },
    bundle: true,
    write: false,
    jsx: "automatic",
    target: "es2022",
    // React mounts twice in development only.
    define: { "process.env.NODE_ENV": '"development"', packageVersion: '"0.0.0"' },
  });
  return outputFiles[0]?.text ?? "";
};

describe.skipIf(withoutBrowser)("the slots of a page in Chromium", () => {
  const { launched, cleanups } = useBrowser();
  const service = createMockService({ timeline: { queuedMs: 0, processingMs: 600_000 } });
  /** Holds the service's answers to submissions back until it resolves. */
  let gate = Promise.withResolvers<void>();
  /** POSTs of all pages, and the user and slot of each POST that the proxy has sent on. */
  let asked = 0;
  let sent: string[] = [];
  const asking = new AsyncLocalStorage<string>();
  let script: string;
  let url: string;
  let closeMock: () => Promise<void>;

  beforeAll(async () => {
    script = await buildPage();
    const mock = await startMockServer({ service });
    closeMock = () => mock.close();
    const proxy = createCookieProxy(mock.url, {
      fetch: async (request) => {
        const isPost = request.method === "POST";
        if (isPost) sent.push(asking.getStore() ?? "nobody");
        const response = await fetch(request);
        if (isPost) await gate.promise;
        return response;
      },
    });
    url = await startWebApp((request) => {
      const { method, headers } = request;
      if (method === "POST") asked += 1;
      const user = headers.get("cookie")?.replace("user=", "");
      return asking.run(`${user} ${headers.get("idempotency-key")}`, () => proxy(request));
    });
  });
  beforeEach(() => {
    service.reset();
    gate = Promise.withResolvers();
    asked = 0;
    sent = [];
  });
  afterAll(async () => {
    gate.resolve();
    closeServers();
    await closeMock();
  });

  const signIn = async (user: string): Promise<BrowserContext> => {
    const context = await launched().newContext();
    cleanups.push(() => context.close());
    await context.addInitScript({ content: script });
    await context.addCookies([{ name: "user", value: user, url }]);
    return context;
  };

  const open = async (context: BrowserContext, hash = ""): Promise<Page> => {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(`${url}/${hash}`);
    return page;
  };

  const sees = (page: Page, text: string | RegExp) =>
    page.locator("output").filter({ hasText: text }).waitFor();

  const clickTwice = (page: Page) =>
    page.evaluate(() => {
      const button = document.querySelector("button");
      button?.click();
      button?.click();
    });

  /** Makes a page poll at once, as when a visitor comes back to its tab. */
  const look = (page: Page) =>
    page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));

  /** Lists the user and slot of each POST to the service, once all are charged. */
  const paid = () => {
    expect(service.account("test-key").charges.length).toBeLessThanOrEqual(sent.length);
    return service.account("test-key").charges.length === sent.length ? sent : "on its way";
  };
  const jobIds = () => service.jobs.all.map(({ job_id }) => job_id);

  test("a slot sends one POST in spite of clicks, reloads in each phase and a second tab", async () => {
    const anna = await signIn("anna");
    const page = await open(anna);
    await sees(page, /^none$/);
    expect(await page.evaluate("mounts")).toBe(2);
    expect(asked).toBe(0);

    await clickTwice(page);
    await sees(page, "ordering");
    await expect.poll(paid).toEqual(["anna hero-7"]);
    // Reload during the submit: the service has made the job, and its answer is on its way.
    await page.reload();
    await sees(page, "ordering");
    const second = await open(anna, "#hero-7");
    await sees(second, "ordering");
    await expect.poll(() => asked).toBeGreaterThanOrEqual(3);
    expect(paid()).toEqual(["anna hero-7"]);
    gate.resolve();
    const [id = "none"] = jobIds();
    for (const tab of [page, second]) await sees(tab, `processing ${id}`);

    // Reload during the wait.
    await clickTwice(second);
    await page.reload();
    await sees(page, `processing ${id}`);
    service.jobs.complete(id);
    for (const tab of [page, second]) {
      await look(tab);
      await sees(tab, `completed ${id}`);
    }
    // Reload after the end, and open a tab on another day.
    await page.reload();
    await sees(page, `completed ${id}`);
    await sees(await open(anna, "#hero-7"), `completed ${id}`);
    expect(paid()).toEqual(["anna hero-7"]);
  });

  test("two tabs that order at the same moment make one order", async () => {
    const carol = await signIn("carol");
    const tabs = await Promise.all([open(carol), open(carol)]);
    await Promise.all(tabs.map((tab) => sees(tab, /^none$/)));
    await Promise.all(tabs.map(clickTwice));
    await Promise.all(tabs.map((tab) => sees(tab, "ordering")));
    gate.resolve();
    const [id = "none"] = await expect.poll(jobIds).toHaveLength(1).then(jobIds);
    await Promise.all(tabs.map((tab) => sees(tab, `processing ${id}`)));
    expect(paid()).toEqual(["carol hero-7"]);
  });

  test("the next user of a browser sees nothing of the slot of the user before", async () => {
    gate.resolve();
    const browser = await signIn("dora");
    const doras = await open(browser, "#hero-7");
    await sees(doras, "processing");
    const [hers = "none"] = jobIds();

    await browser.addCookies([{ name: "user", value: "eve", url }]);
    const eves = await open(browser);
    await sees(eves, /^none$/);
    expect(asked).toBeLessThanOrEqual(2);
    await clickTwice(eves);
    await sees(eves, "processing");
    await doras.reload();
    await sees(doras, "processing");
    const own = jobIds().filter((id) => id !== hers);
    expect(own).toHaveLength(1);
    for (const page of [doras, eves]) {
      expect(await page.content()).not.toContain(hers);
      expect(await page.content()).toContain(own[0]);
    }
    // The first user comes back, and finds her own order.
    await browser.addCookies([{ name: "user", value: "dora", url }]);
    await eves.reload();
    await sees(eves, `processing ${hers}`);
    expect(await eves.content()).not.toContain(own[0]);
    expect(paid()).toEqual(["dora hero-7", "eve hero-7"]);
  });

  test("another slot makes another order, and a changed request for a slot is refused", async () => {
    gate.resolve();
    const fay = await signIn("fay");
    for (const slot of ["hero-7", "hero-8", "hero-7"]) {
      await sees(await open(fay, `#${slot}`), "processing");
    }
    await sees(await open(fay, "?prompt=Tea#hero-7"), /^error invalid_request job_/);
    expect(paid()).toEqual(["fay hero-7", "fay hero-8"]);
  });

  test("a page that has lost the text of its request finds its own slot's job again", async () => {
    gate.resolve();
    const hal = await signIn("hal");
    const page = await open(hal, "#hero-7");
    await sees(page, "processing");
    const [id = "none"] = jobIds();
    const forgetful = await open(hal, "?forgetful#hero-7");
    await sees(forgetful, "finding");
    service.jobs.complete(id);
    await look(forgetful);
    await sees(forgetful, `completed ${id}`);
    expect(paid()).toEqual(["hal hero-7"]);

    // The same slot is free for another user, who gets an order of her own.
    const ivy = await open(await signIn("ivy"), "?forgetful#hero-7");
    await expect.poll(paid).toEqual(["hal hero-7", "ivy hero-7"]);
    const [own = "none"] = jobIds().filter((one) => one !== id);
    service.jobs.complete(own);
    await look(ivy);
    await sees(ivy, `completed ${own}`);
    expect(await ivy.content()).not.toContain(id);
  });

  test("the next page finds a job whose page closed before the answer", async () => {
    const gil = await signIn("gil");
    const page = await open(gil, "#hero-7");
    await expect.poll(paid).toEqual(["gil hero-7"]);
    await page.close();
    gate.resolve();
    const [id = "none"] = jobIds();
    service.jobs.complete(id);
    await sees(await open(gil, "#hero-7"), `completed ${id}`);
    expect(paid()).toEqual(["gil hero-7"]);
  });
});
