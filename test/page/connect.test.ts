// connectMock in a page: of the server's own origin, and of another one.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MockServer, startMockServer } from "../../mocks/server.ts";
import { chromiumLaunch } from "../../tools/chromium.ts";
import { withoutBrowser } from "./open-page.ts";

describe.skipIf(withoutBrowser)("connectMock in a page", () => {
  let browser: Browser;
  let server: MockServer;
  let script = "";
  const elsewhere = createServer((_, outgoing) => {
    outgoing.writeHead(200, { "content-type": "text/html" }).end("<title>Another origin</title>");
  });

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: ["mocks/connect.ts"],
      bundle: true,
      format: "iife",
      globalName: "adgen",
      write: false,
    });
    script = outputFiles[0]?.text ?? "";
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    server = await startMockServer();
    browser = await chromium.launch(chromiumLaunch);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    elsewhere.close();
  });

  /** Resets the server from a page, and gives the error if there was one. */
  const resetFrom = async (page: Page): Promise<unknown> =>
    page.evaluate(
      `${script}; adgen.connectMock(${JSON.stringify(server.url)}).reset().catch(String)`,
    );

  test("steers the server whose origin it has", async () => {
    const page = await browser.newPage();
    await page.goto(`${server.url}/__mock/`);
    server.service.addAccount("test-other");
    expect(await resetFrom(page)).toBeUndefined();
    expect(server.service.accounts).toHaveLength(1);
    await page.close();
  });

  test("is refused at another origin, and says why", async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
    server.service.addAccount("test-other");
    expect(await resetFrom(page)).toMatch(
      /^Error: No mock server answers at .* Pages of other origins cannot reach it\.$/,
    );
    expect(server.service.accounts).toHaveLength(2);
    await page.close();
  });
});
