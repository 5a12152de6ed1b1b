/** `npm run page:picture`: takes the picture of the mock's page that the README shows. */
import { readFileSync } from "node:fs";
import { chromium } from "playwright";
import { createManualClock, createMockService } from "../mocks/index.ts";
import { startMockServer } from "../mocks/server.ts";
import { chromiumLaunch } from "./chromium.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const minor = version.split(".").slice(0, 2).join(".");

const service = createMockService({
  artwork: "served",
  clock: createManualClock(Date.now() - 120_000),
  timeline: { queuedMs: 20_000, processingMs: 60_000 },
  accounts: {
    "test-key": { brands: [{ id: "brand_acme", name: "Acme Lemonade", colors: ["#4a3fcf"] }] },
    "test-poor": { credits: { image: { monthly: 2 } } },
  },
});
await using server = await startMockServer({ service });

const submit = async (body: object, key = "test-key"): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  await (await service.fetch(`${server.url}/v1/jobs`, init)).text();
};
await submit({ action: "generate-ad", prompt: "Lemonade, ice cold", brand_id: "brand_acme" });
await submit({ action: "image-a-pro", prompt: "A lighthouse at night", variations: 4 });
await submit({ action: "generate-ad-copy", prompt: "Summer sale", variations: 3 });
service.jobs.next({ fail: "moderation" });
await submit({ action: "edit-ad", prompt: "Less ice" });
service.clock.advance(90_000);
await submit({ action: "video-a-2", prompt: "Waves, slow motion" });
service.clock.advance(30_000);
await submit({ action: "copy-ad", prompt: "The same, in winter" });
await submit({ action: "generate-ad", variations: 3 }, "test-poor");

const browser = await chromium.launch(chromiumLaunch);
const page = await browser.newPage({
  viewport: { width: 1280, height: 800 },
  colorScheme: "light",
});
await page.goto(`${server.url}/__mock/`);
await page.locator("[data-link=live]").waitFor();
await page.waitForLoadState("networkidle");
const path = `docs/mock-page-${minor}.png`;
await page.screenshot({ path });
await browser.close();
console.log(path);
