import type { BrowserContext } from "@playwright/test";
import { expect, test } from "vitest";
import { leadRequests, resolveApi } from "../../mocks/faces/playwright/lead-requests.ts";

const mock = { url: "http://127.0.0.1:4471", apiKey: "test-key" };

test("the fixtures for Playwright lead the API to the mock, and no path that only begins like it", async () => {
  const patterns: RegExp[] = [];
  const context = { route: async (pattern: RegExp) => void patterns.push(pattern) };
  const api = resolveApi("/api/ads/", "https://shop.test");
  await leadRequests(context as unknown as BrowserContext, api, mock);
  const isLed = (url: string) => patterns.some((pattern) => pattern.test(url));
  for (const rest of ["", "/", "/v1/jobs", "?limit=1", "#top"])
    expect(isLed(api + rest)).toBe(true);
  for (const other of [
    "/api/adsense",
    "/api/ads-old/v1/jobs",
    "/api/ads.js",
    "/v2/api/ads/v1/jobs",
  ]) {
    expect(isLed(`https://shop.test${other}`), other).toBe(false);
  }
});
