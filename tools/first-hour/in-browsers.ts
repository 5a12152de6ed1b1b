import { chromium, type Page } from "playwright";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../chromium.ts";
import { cut, filesOf } from "./cut-blocks.ts";
import { isThere, until } from "./processes.ts";
import type { Setting } from "./setting.ts";

const proxies = "docs/guides/browsers-and-proxies.md";
const onVite = { vite: "8.3.8", "@hono/node-server": "2.1.8" };
const react = { react: "19.3.1", "react-dom": "19.3.1" };
const reactTypes = { "@types/node": "24.19.2", "@types/react": "19.3.0" };
const address = /http:\/\/localhost:\d+/;

/** Opens the page as the user of the guides' session, orders, and sees the picture. */
const visit =
  (order: (page: Page) => Promise<unknown>) =>
  async ([url]: RegExpExecArray): Promise<void> => {
    if (chromiumPath === undefined) throw new Error(chromiumMissing);
    const browser = await chromium.launch(chromiumLaunch);
    try {
      const context = await browser.newContext();
      context.setDefaultTimeout(60_000);
      await context.addCookies([{ name: "session", value: "anna-signed-in", url }]);
      const page = await context.newPage();
      await page.goto(url);
      await order(page);
      await page.waitForFunction(() => (document.images[0]?.naturalWidth ?? 0) > 0);
    } finally {
      await browser.close();
    }
  };

/** Fills in the form, and sends it. */
const send = async (page: Page): Promise<void> => {
  await page.fill("[name=prompt]", "Lemonade");
  await page.click("button");
};

/** The first hour of a page. */
export const inBrowsers: readonly Setting[] = [
  {
    name: "Vite, ten minutes",
    packages: onVite,
    copies: filesOf(proxies, "vite.config.ts", "page.ts"),
    runs: { [/^echo .*$/m.exec(cut(`${proxies} > sh`))?.[0] ?? "exit 1 # no echo there"]: /^$/ },
    starts: { "npx vite": address },
    use: visit(send),
    spends: 1,
  },
  {
    name: "Vite, React and Express",
    packages: { ...onVite, ...react, express: "5.3.0" },
    copies: {
      ...filesOf(proxies, "session.ts", "proxy.ts", "express.ts"),
      ...filesOf("docs/guides/repeats.md", "use-order.ts"),
    },
    from: "test/page/children/react-page",
    mock: "--timeline 2000,20000", // time for a reload in between
    starts: { "node express.ts": /^/, "npx vite": address },
    use: visit(async (page) => {
      await until("Express", () => isThere("http://localhost:3000"));
      await page.click("button");
      await page.getByText("waiting").waitFor();
      await page.reload();
      await page.getByText("waiting").waitFor();
    }),
    spends: 1,
  },
  {
    name: "Next.js",
    packages: { next: "16.4.6", typescript: "6.0.3", ...react, ...reactTypes },
    copies: filesOf(proxies, "lib/adgen.ts", "app/adgen/[...path]/route.ts", "app/actions.ts"),
    from: "test/page/children/next-page",
    runs: { "npx next build": /Compiled successfully/ },
    starts: { "npx next start --port 0": address },
    use: visit(async (page) => {
      const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
      await send(page);
      await answered;
      await page.reload();
    }),
    spends: 1,
  },
];
