/**
 * `node --import ./test/helpers/from-source.ts tools/page-picture.ts` takes the README's picture of
 * the mock's page. Its name has the package's version, so that no cache shows an older one.
 */
import { readFileSync } from "node:fs";
import { chromium } from "playwright";
import { createManualClock, createMockService } from "../mocks/index.ts";
import { startMockServer } from "../mocks/server/index.ts";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "./chromium.ts";

if (chromiumPath === undefined) throw new Error(chromiumMissing);

const service = createMockService({
  clock: createManualClock(Date.UTC(2026, 2, 2, 9, 15)),
  timeline: { queuedMs: 5_000, processingMs: 60_000 },
});
await using server = await startMockServer({ service });

/** Sends a submission as a client would, and returns the id of its job. */
const submit = async (body: object, key = "test-key"): Promise<string> => {
  service.clock.advance(7_000);
  const headers = { authorization: `Bearer ${key}` };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const { data } = await (await service.fetch(`${server.url}/v1/jobs`, init)).json();
  return data?.job_id;
};

const copy = { action: "generate-ad-copy", prompt: "Ice-cold lemonade, delivered" };
service.jobs.complete(await submit({ action: "video-a-2", prompt: "Waves at dusk", duration: 6 }));
service.jobs.complete(await submit(copy));
service.jobs.complete(
  await submit({ action: "generate-ad", prompt: "Summer sale on roses", variations: 2 }),
);
const edit = await submit({ action: "edit-ad", prompt: "The logo of another shop" });
service.jobs.fail(edit, "Refused by moderation");
service.faults.play({ kind: "status", status: 503 });
await submit({ action: "generate-ad", prompt: "Autumn coats" });
await submit({ action: "generate-ad", prompt: "Autumn coats" }, "sk-wrong");
await submit({ action: "generate-ad", prompt: "Autumn coats", variations: 3 });
await submit({ action: "make-ad" });
service.jobs.next({ fail: "Generation failed" });

const browser = await chromium.launch(chromiumLaunch);
const viewport = { width: 1280, height: 800 };
const page = await browser.newPage({ viewport, deviceScaleFactor: 1, reducedMotion: "reduce" });
await page.goto(`${server.url}/__mock/`);
await page.locator("video").evaluate(async (video: HTMLVideoElement) => {
  if (video.readyState < 2) await new Promise((resolve) => (video.onloadeddata = resolve));
});
const root = new URL("../", import.meta.url);
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const file = new URL(`docs/mock-page-${version.split(".", 2).join(".")}.png`, root);
await page.screenshot({ path: file.pathname });
await browser.close();
