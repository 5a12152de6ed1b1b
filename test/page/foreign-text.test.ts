import { describe, expect, test } from "vitest";
import { usePages, withoutBrowser } from "./open-page.ts";
import { call, submit, timedJobs } from "./services.ts";

const attack = `<img src=x onerror="alert(1)"><script>alert(2)</script>"'\`--><svg/onload=alert(3)>`;

describe.skipIf(withoutBrowser)("a stranger's text or script", () => {
  const open = usePages();

  test("is shown as it is, wherever it comes from", async () => {
    const { page, service, look } = await open({ service: timedJobs() });
    const brand = await call(service, "POST", "/v1/brands", {
      name: attack,
      colors: ["url(https://evil.example/x)", "red;background:url(//evil.example)"],
      [attack]: attack,
    });
    await call(service, "POST", "/v1/saved-ads", {
      brand_id: brand.id,
      headline: attack,
      image: "https://evil.example/pixel.png",
      url: "javascript:alert(4)",
    });
    const ids: string[] = [];
    for (const prompt of [attack, "one", "two", "three", "four"]) {
      ids.push(await submit(service, { action: "generate-ad-copy", prompt }));
    }
    const [plain = "", failed = "", copied = "", other = "", pictured = ""] = ids;
    service.jobs.complete(plain);
    service.jobs.fail(failed, attack);
    service.jobs.complete(copied, {
      copy: [{ headline: attack, call_to_action: attack }, null, 1],
    });
    service.jobs.complete(other, attack);
    service.jobs.complete(pictured, {
      images: [
        { url: "https://evil.example/pixel.png" },
        { url: "javascript:alert(5)" },
        { url: "data:text/html,<script>alert(6)</script>" },
        { url: "https://evil.example/__mock/artwork/../../pixel.png" },
        { url: 7 },
        null,
      ],
    });
    await call(service, "GET", `/v1/brands?${encodeURIComponent(attack)}`);
    service.faults.play({ kind: "status", status: 500, body: attack }, { times: 1 });
    await call(service, "GET", "/v1/jobs").catch(() => undefined);

    await look();
    await page.locator(".reason", { hasText: attack }).waitFor();
    await page.locator(".copy strong", { hasText: attack }).first().waitFor();
    await page.locator(".entry", { hasText: "alert" }).click();
    for (const summary of await page.locator(".things summary").all()) await summary.click();
    await page.locator("#brands-list", { hasText: attack }).waitFor();
    await page.locator("#ads-list", { hasText: attack }).waitFor();
    await page.locator("#journal pre", { hasText: "alert(3)" }).first().waitFor();

    for (const harmful of [
      "main script, main svg, main img[src='x'], main iframe",
      ...["main a:not([href^='/__mock/'])", "main img:not([src^='/__mock/artwork/'])"],
      "main video:not([src^='/__mock/artwork/'][poster^='/__mock/artwork/'])",
      "[style], [onerror], [onload]",
    ]) {
      expect(await page.locator(harmful).count(), harmful).toBe(0);
    }
  });
});
