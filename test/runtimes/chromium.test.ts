import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../../tools/chromium.ts";
import { bundle } from "./bundle.ts";
import { closeServers } from "./loopback-server.ts";
import { type Ends, type Scene, submitsPerScene } from "./play.ts";
import { expectWholePosts, type Played, playFaults } from "./play-faults.ts";
import { acceptCertificate, settings } from "./repeated-by-chromium.ts";

if (chromiumPath === undefined) {
  if (process.env["CI"]) throw new Error(chromiumMissing);
  console.warn(`${chromiumMissing} The tests of its sockets are skipped.`);
}

/** Set by play-in-page.ts. */
declare const play: (scenes: readonly Scene[]) => Promise<Ends[]>;

// Skipped where this machine has no browser; in CI that is a failure.
describe.skipIf(chromiumPath === undefined)("Chromium", () => {
  let browser: Browser;
  let script: string;
  beforeAll(async () => {
    [browser, script] = await Promise.all([
      chromium.launch({ ...chromiumLaunch, args: [...chromiumLaunch.args, acceptCertificate] }),
      bundle("play-in-page.ts"),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    closeServers();
  });

  describe.each(settings)("over $protocol", ({ protocol, faults, repeated }) => {
    let played: (fault: string) => Played;

    beforeAll(async () => {
      const context = await browser.newContext();
      /** The service's own origin shows the page, so that both use the same connection. */
      const playInPage = async (scene: Scene): Promise<Ends> => {
        const page = await context.newPage();
        await page.goto(scene.url);
        await page.evaluate(script);
        const [ends = []] = await page.evaluate((scenes) => play(scenes), [scene]);
        return ends;
      };
      const sender = "its default fetch";
      const find = await playFaults({
        protocol,
        faults,
        senders: [sender],
        play: (scenes) => Promise.all(scenes.map(playInPage)),
      });
      played = (fault) => find(sender, fault);
      await context.close();
    });

    const counts = Object.keys(faults).map((fault) => ({
      fault,
      times: repeated.includes(fault) ? "twice" : "once",
    }));

    test.each(counts)("sends the POST $times when the service $fault", ({ fault, times }) => {
      const { posts, ends } = played(fault);
      const hint = "Chromium has changed: correct this table and docs/guides/money.md.";
      expect(posts, hint).toHaveLength(submitsPerScene + (times === "twice" ? 1 : 0));
      // The caller does not learn that the service has read the POST twice.
      const second = times === "twice" ? "resolved" : expect.stringMatching(/\/unknown$/);
      expect(ends).toEqual(["resolved", second]);
      expect(posts[1]).toMatchObject({ reused: true });
    });

    test("sends the whole body", () => {
      for (const fault of Object.keys(faults)) {
        const { posts } = played(fault);
        // A repeated POST may come by another protocol.
        expectWholePosts(posts.slice(0, submitsPerScene), { protocol, keepsLength: true });
        expect(new Set(posts.slice(1).map(({ body }) => body)).size).toBe(1);
      }
    });
  });
});
