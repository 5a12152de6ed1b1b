// The configuration of the guide by which Vite passes requests on to a server of one's own.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createServer } from "vite";
import { expect, test } from "vitest";
import { listen } from "../helpers/http-server.ts";
import { writeRecipe } from "../helpers/recipes.ts";

test("Vite before a server keeps the Host, which the proxy compares with the origin", async () => {
  const server = await listen((response) => response.end("{}"));
  const guide = "docs/guides/browsers-and-proxies.md";
  const place = "vite-before";
  const folder = writeRecipe(
    guide,
    (code) => code.replace("http://localhost:3000", server.url),
    place,
  );
  const { default: config } = await import(
    pathToFileURL(join(folder, "vite-before.config.ts")).href
  );
  const vite = await createServer({
    configFile: false,
    root: folder,
    logLevel: "error",
    cacheDir: join(folder, "cache"),
    server: { ...config.server, port: 0, host: "127.0.0.1", ws: false, watch: null },
  });
  try {
    await vite.listen();
    const [url = ""] = vite.resolvedUrls?.local ?? [];
    await fetch(`${url}adgen/v1/jobs`, { method: "POST", body: "{}" });
    expect(server.received.map(({ headers }) => headers["host"])).toEqual([new URL(url).host]);
  } finally {
    await vite.close();
  }
});
