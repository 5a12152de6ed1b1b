import { describe, expect, it } from "vitest";
import type { MockServer } from "../../mocks/server.ts";
import { createAsk, globalFetch } from "./ask.ts";
import { askRaw, authorized, rawRequest, startServer } from "./server-sockets.ts";

/** Lets a job complete, and gives the URL of its picture, as an answer to this Host says it. */
const pictureFor = async (server: MockServer, host: string): Promise<string> => {
  const ask = createAsk(globalFetch, "test-key", server.url);
  const { data } = await ask("POST", "/v1/jobs", { action: "generate-ad" });
  server.service.jobs.complete(data.job_id);
  const lines = [`Host: ${host}`, "Connection: close", "Authorization: Bearer test-key", "", ""];
  const request = [`GET /v1/jobs/${data.job_id} HTTP/1.1`, ...lines].join("\r\n");
  return /"url":"([^"]+)"/.exec(await askRaw(server.port, request))?.[1] ?? "";
};

describe("the URLs of pictures", () => {
  it.each(["localhost", "127.0.0.1", "[::1]", "my-machine.local"])(
    "keep the name that the request used with the server's port: %s",
    async (name) => {
      const server = await startServer();
      const url = await pictureFor(server, `${name}:${server.port}`);
      expect(url).toMatch(`http://${name}:${server.port}/__mock/artwork/`);
    },
  );

  it.each(["localhost:5173", "app.test", "localhost"])(
    "name the server itself behind a proxy that sends its own Host: %s",
    async (host) => {
      const server = await startServer();
      const url = await pictureFor(server, host);
      expect(url).toMatch(`${server.url}/__mock/artwork/`);
      expect((await fetch(url)).status).toBe(200);
    },
  );

  it.each([
    ["https://ads.test", "https://ads.test/__mock/artwork/"],
    ["http://localhost:5173/adgen/", "http://localhost:5173/adgen/__mock/artwork/"],
  ])("begin with publicUrl %s", async (publicUrl, expected) => {
    const server = await startServer({ publicUrl });
    for (const host of [`127.0.0.1:${server.port}`, "localhost:5173"]) {
      expect(await pictureFor(server, host)).toMatch(expected);
    }
  });

  it("have no origin on the page, whatever publicUrl says", async () => {
    const server = await startServer({ publicUrl: "https://ads.test" });
    await pictureFor(server, "localhost");
    const body = await (await fetch(`${server.url}/__mock/body`)).text();
    expect(body).toMatch(/src="\/__mock\/artwork\//);
    expect(body).not.toContain('src="http');
  });

  it.each(["", "ads.test", "ftp://ads.test", "https://me@ads.test", "https://ads.test?x=1", 1])(
    "refuse the publicUrl %j",
    async (publicUrl) => {
      await expect(startServer({ publicUrl: publicUrl as string })).rejects.toThrow(/publicUrl/);
    },
  );
});

describe("a browser", () => {
  const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

  it("is led from / to the page, and the journal does not keep that", async () => {
    const server = await startServer();
    const answer = await fetch(server.url, { headers: html, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/__mock/"]);
    const page = await fetch(server.url, { headers: html });
    expect(await page.text()).toContain("<!doctype html>");
    expect(server.service.journal.entries).toEqual([]);
  });

  it("gets no icon, and no refusal", async () => {
    const server = await startServer();
    const answer = await fetch(`${server.url}/favicon.ico`);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([204, "max-age=86400"]);
    expect(await askRaw(server.port, rawRequest("HEAD /favicon.ico"))).toMatch(/^HTTP\/1\.1 204 /);
    expect(server.service.journal.entries).toEqual([]);
  });

  it.each([
    ["a client that takes any type", "GET", "/", { accept: "*/*" }],
    ["a client with a key", "GET", "/", { ...html, ...authorized }],
    ["a form", "POST", "/", html],
    ["another path", "GET", "/v1", html],
    ["an icon that is posted", "POST", "/favicon.ico", html],
  ])("is not what the service takes for one: %s", async (_, method, path, headers) => {
    const server = await startServer();
    const answer = await fetch(server.url + path, { method, headers, redirect: "manual" });
    expect([401, 404]).toContain(answer.status);
    expect(server.service.journal.entries).toHaveLength(1);
  });
});
