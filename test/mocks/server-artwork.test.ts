import { describe, expect, test } from "vitest";
import type { MockServerOptions } from "../../mocks/server.ts";
import { askRaw, authorized, startServer } from "./server-sockets.ts";

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
  test("is an MP4 file for every origin, and tells its length to HEAD", async () => {
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

  test("comes in the parts that Safari asks for, or as a whole", async () => {
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
      ["bytes=-10", length - 10, length - 1],
      [`bytes=5-${length * 2}`, 5, length - 1],
      [`bytes=-${length * 2}`, 0, length - 1],
    ] as const) {
      const part = `bytes ${first}-${last}/${length}`;
      expect(await ask(range), range).toEqual([206, part, whole.slice(first, last + 1)]);
    }
    for (const range of ["bytes=5-1", "bytes=-", "bytes=0-1,5-6", "lines=0-1", "nonsense"]) {
      expect(await ask(range), range).toEqual([200, null, whole]);
    }
    for (const range of ["bytes=1000000-", "bytes=-0"]) {
      expect(await ask(range), range).toEqual([416, `bytes */${length}`, new Uint8Array()]);
    }
  });

  test("has posters: a PNG, and an SVG that stands still when the query has `still`", async () => {
    const { address } = await serve(video);
    const get = async (ending: string) => fetch(address.replace("mp4", ending));
    expect((await get("png")).headers.get("content-type")).toBe("image/png");
    const [moving, still] = [
      await (await get("svg")).text(),
      await (await get("svg?still")).text(),
    ];
    expect(moving.match(/<animate/g)?.length).toBeGreaterThan(0);
    expect(still).toBe(moving.replaceAll(/<animate\w* [^/]*\/>/g, ""));
  });
});

describe("a served picture", () => {
  test("is SVG that runs and fetches nothing, or PNG, but no video and no other ending", async () => {
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
    for (const none of ["3.svg", "0.svg", "1.mp4", "1.gif"]) {
      expect((await get(none)).status, none).toBe(404);
    }
  });

  test("has a URL with the ending of the format that the service makes", async () => {
    const { address } = await serve(picture, { pictureFormat: "png" });
    expect(address).toMatch(/\/1\.png$/);
  });
});

describe("the URLs of pictures", () => {
  /** Gives the URL of a job's picture, as an answer to this Host says it. */
  const urlFor = async ({ port, id }: { port: number; id: string }, host: string) => {
    const lines = [`Host: ${host}`, "Connection: close", "Authorization: Bearer test-key", "", ""];
    const answer = await askRaw(port, [`GET /v1/jobs/${id} HTTP/1.1`, ...lines].join("\r\n"));
    return /"url":"([^"]+)"/.exec(answer)?.[1];
  };

  test("keep the name that the request used with the server's port, or name the server", async () => {
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

  test.each([
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
