import { describe, expect, it } from "vitest";
import type { MockServerOptions } from "../../mocks/server.ts";
import { authorized, startServer } from "./server-sockets.ts";

/** Starts a server with one finished job. */
const serve = async (body: object, options: MockServerOptions = {}) => {
  const server = await startServer(options);
  const { job_id: id } = (await server.ask("POST", "/v1/jobs", body)).data;
  server.service.jobs.complete(id);
  const { result } = (await server.ask("GET", `/v1/jobs/${id}`)).data;
  const [made] = Object.values<{ url: string }[]>(result).flat();
  const bytes = (format: "mp4" | "png"): Uint8Array =>
    server.service.artwork(id, 1, { format }) ?? new Uint8Array();
  return { ...server, id, address: made?.url ?? "", bytes };
};

const bytesOf = async (answer: Response): Promise<Uint8Array> =>
  new Uint8Array(await answer.arrayBuffer());

const video = { action: "video-a-2", prompt: "a > b", duration: 4 };
const picture = { action: "generate-ad", variations: 2 };

describe("a served video", () => {
  it("is an MP4 file for every origin, and tells its length to HEAD", async () => {
    const { address, bytes, id, url } = await serve(video);
    expect(address).toBe(`${url}/__mock/artwork/${id}/1.mp4`);
    const answer = await fetch(address);
    expect(answer.status).toBe(200);
    expect(await bytesOf(answer)).toEqual(bytes("mp4"));
    const headers = {
      "content-type": "video/mp4",
      "accept-ranges": "bytes",
      "content-length": String(bytes("mp4").length),
      "access-control-allow-origin": "*",
    };
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    const head = await fetch(address, { method: "HEAD", headers: { range: "bytes=0-1" } });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(Object.fromEntries(head.headers)).toMatchObject(headers);
  });

  it("comes in the parts that Safari asks for, or as a whole", async () => {
    const { address, bytes } = await serve(video);
    const whole = bytes("mp4");
    const { length } = whole;
    const ask = async (range: string) => {
      const answer = await fetch(address, { headers: { range } });
      const part = answer.headers.get("content-range");
      return [answer.status, part, await bytesOf(answer)];
    };
    for (const [range, first, last] of [
      ["bytes=0-1", 0, 1],
      ["Bytes=0-1", 0, 1],
      ["bytes=100-", 100, length - 1],
      [`bytes=5-${length * 2}`, 5, length - 1],
    ] as const) {
      const part = `bytes ${first}-${last}/${length}`;
      expect(await ask(range), range).toEqual([206, part, whole.slice(first, last + 1)]);
    }
    for (const range of ["bytes=5-1", "bytes=-10", "bytes=0-1,5-6", "bytes=1000000-", "nonsense"]) {
      expect(await ask(range), range).toEqual([200, null, whole]);
    }
  });

  it("has posters: a PNG, and an SVG", async () => {
    const { address } = await serve(video);
    const get = async (ending: string) => fetch(address.replace("mp4", ending));
    expect((await get("png")).headers.get("content-type")).toBe("image/png");
    expect(await (await get("svg")).text()).toMatch(/^<svg (?!.*<animate)/);
  });
});

it("a served picture is SVG that runs and fetches nothing, or PNG, but no video and no other ending", async () => {
  const { address, service, id, bytes } = await serve(picture);
  const get = (file: string) => fetch(address.replace("1.svg", file));
  const answer = await get("2.svg");
  expect(await answer.text()).toBe(service.artwork(id, 2));
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/svg+xml",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "x-content-type-options": "nosniff",
  });
  const png = await get("1.png");
  expect(png.headers.get("content-type")).toBe("image/png");
  const file = await bytesOf(png);
  expect(file).toEqual(bytes("png"));
  expect(Buffer.from(file.subarray(0, 8)).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect((await serve(picture, { pictureFormat: "png" })).address).toMatch(/\/1\.png$/);
  for (const none of ["3.svg", "0.svg", "1.mp4", "1.gif"]) {
    expect((await get(none)).status, none).toBe(404);
  }
});

describe("the URLs of pictures", () => {
  /** Gives the URL of a job's picture, as an answer to this Host says it. */
  const urlFor = async ({ askRaw, id }: Awaited<ReturnType<typeof serve>>, host: string) => {
    const lines = [`Host: ${host}`, "Connection: close", "Authorization: Bearer test-key", "", ""];
    const answer = await askRaw([`GET /v1/jobs/${id} HTTP/1.1`, ...lines].join("\r\n"));
    return /"url":"([^"]+)"/.exec(answer)?.[1];
  };

  it("keep the name that the request used with the server's port, or name the server", async () => {
    const served = await serve(picture);
    const { port, id, url } = served;
    for (const name of ["localhost", "127.0.0.1", "[::1]", "my-machine.local"]) {
      const expected = `http://${name}:${port}/__mock/artwork/${id}/1.svg`;
      expect(await urlFor(served, `${name}:${port}`)).toBe(expected);
    }
    // Proxies that send their own Host.
    for (const host of ["localhost:5173", "app.test", "localhost"]) {
      expect(await urlFor(served, host)).toBe(`${url}/__mock/artwork/${id}/1.svg`);
    }
  });

  it.each([
    ["https://ads.test", "https://ads.test/__mock/artwork/"],
    ["http://localhost:5173/adgen/", "http://localhost:5173/adgen/__mock/artwork/"],
  ])("begin with publicUrl %s, but not on the server's own page", async (publicUrl, expected) => {
    const served = await serve(picture, { publicUrl });
    for (const host of [`127.0.0.1:${served.port}`, "localhost:5173"]) {
      expect(await urlFor(served, host)).toBe(`${expected}${served.id}/1.svg`);
    }
    const body = await (await fetch(`${served.url}/__mock/body`, { headers: authorized })).text();
    expect(body).toMatch(/src="\/__mock\/artwork\//);
    expect(body).not.toContain('src="http');
  });
});

const site = { origin: "http://localhost:5173" };
const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("a browser app of another origin", () => {
  it("is answered at its preflight, which does not reach the service", async () => {
    const { url, service } = await startServer();
    service.faults.play({ kind: "reset" });
    const ask = (more: Record<string, string>) =>
      fetch(`${url}/v1/brands/x`, {
        method: "OPTIONS",
        headers: { ...site, "access-control-request-method": "PATCH", ...more },
      });
    const answer = await ask({
      "access-control-request-headers": "authorization,X-Trace, bad name",
      "access-control-request-private-network": "true",
    });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "authorization, content-type, x-trace",
      "access-control-max-age": "600",
      "access-control-allow-private-network": "true",
    });
    expect((await ask({})).headers.get("access-control-allow-private-network")).toBeNull();
    expect(service.journal.entries).toEqual([]);
    expect(service.faults.planned).toHaveLength(1);
  });
});

describe("the admin", () => {
  type Started = Awaited<ReturnType<typeof startServer>>;

  /** Gives the status; the global fetch does not let anybody set `Host`. */
  const statusWith = async (server: Started, path: string, headers: object, method = "GET") => {
    const lines = Object.entries({ host: "localhost", connection: "close", ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const answer = await server.askRaw(`${method} /__mock/${path} HTTP/1.1\r\n${head}\r\n`);
    return Number(answer.split(" ")[1]);
  };

  it("answers to the names of loopback, and of the host that it was given", async () => {
    const here = await startServer();
    const everywhere = await startServer({ host: "0.0.0.0" });
    expect(everywhere.url).toBe(`http://127.0.0.1:${everywhere.port}`);
    const expectAll = async (server: Started, status: number, hosts: readonly string[]) => {
      for (const host of hosts) {
        expect(await statusWith(server, "help", { host }), host).toBe(status);
      }
    };
    await expectAll(here, 200, ["localhost", "LOCALHOST:4010", "127.0.0.1", "[::1]:80"]);
    await expectAll(here, 403, ["evil.test", "127.0.0.1.evil.test", "localhost.evil.test:80"]);
    await expectAll(here, 403, ["10.1.2.3", "[::2]"]);
    await expectAll(here, 400, ["a b"]);
    await expectAll(everywhere, 200, ["10.1.2.3:80"]);
    await expectAll(everywhere, 403, ["evil.test"]);
  });

  it("refuses the pages of other origins, and tells them nothing", async () => {
    const server = await startServer();
    const { url, port, service, ask } = server;
    await ask("GET", "/v1/jobs");
    const reset = (headers: object) =>
      statusWith(server, "reset", { host: `127.0.0.1:${port}`, ...headers }, "POST");
    for (const origin of ["https://evil.test", "null", "http://127.0.0.1:1"]) {
      expect(await reset({ origin })).toBe(403);
    }
    // The form of another page sends no Origin; a link there may lead to the mock's page.
    const from = (name: string) => ({ "sec-fetch-site": name, "sec-fetch-mode": "navigate" });
    expect(await reset(from("cross-site"))).toBe(403);
    expect(await reset(from("same-site"))).toBe(403);
    expect(await statusWith(server, "", from("cross-site"))).toBe(200);
    const headers = { origin: "https://evil.test", "access-control-request-method": "POST" };
    const preflight = await fetch(`${url}/__mock/reset`, { method: "OPTIONS", headers });
    expect(preflight.status).toBe(403);
    for (const answer of [preflight, await fetch(`${url}/__mock/help`)]) {
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect(service.journal.entries).toHaveLength(1);
    expect(await reset(from("same-origin"))).toBe(200);
    expect(service.journal.entries).toEqual([]);
  });
});

describe("a browser that a person uses", () => {
  it("is led from / to the page; the journal does not keep it", async () => {
    const { url, service } = await startServer();
    const answer = await fetch(url, { headers: html, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/__mock/"]);
    expect(await (await fetch(url, { headers: html })).text()).toContain("<!doctype html>");
    expect(service.journal.entries).toEqual([]);
  });

  it.each([
    ["a client that takes any type", "GET", "/", { accept: "*/*" }],
    ["a client with a key", "GET", "/", { ...html, ...authorized }],
    ["a form", "POST", "/", html],
    ["another path", "GET", "/v1", html],
  ])("is not what the service takes for one: %s", async (_, method, path, headers) => {
    const { url, service } = await startServer();
    const answer = await fetch(url + path, { method, headers, redirect: "manual" });
    expect([401, 404]).toContain(answer.status);
    expect(service.journal.entries).toHaveLength(1);
  });
});
