import { describe, expect, test } from "vitest";
import { createAsk, globalFetch } from "./ask.ts";
import { startServer } from "./server-sockets.ts";

/** Starts a server with one finished job. */
const serve = async (body: object, options: { pictureFormat?: "png" } = {}) => {
  const { url: origin, service } = await startServer(options);
  const ask = createAsk(globalFetch, "test-key", origin);
  const { job_id: id } = (await ask("POST", "/v1/jobs", body)).data;
  service.jobs.complete(id);
  const { result } = (await ask("GET", `/v1/jobs/${id}`)).data;
  const [made] = Object.values<{ url: string }[]>(result).flat();
  return { id, service, address: made?.url ?? "", origin };
};

const video = { action: "video-a-2", prompt: "Sale", duration: 4 };

describe("a served video", () => {
  test("is an MP4 file for every origin", async () => {
    const { address, service, id, origin } = await serve(video);
    expect(address).toBe(`${origin}/__mock/artwork/${id}/1.mp4`);
    const answer = await fetch(address);
    expect(answer.status).toBe(200);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(bytes).toEqual(service.artwork(id, 1, { format: "mp4" }));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "video/mp4",
      "accept-ranges": "bytes",
      "content-length": String(bytes.length),
      "access-control-allow-origin": "*",
    });
  });

  test("comes in the parts that Safari asks for", async () => {
    const { address, service, id } = await serve(video);
    const whole = service.artwork(id, 1, { format: "mp4" }) ?? new Uint8Array();
    const { length } = whole;
    for (const [range, first, last] of [
      ["bytes=0-1", 0, 1],
      ["Bytes=0-1", 0, 1],
      ["bytes=100-", 100, length - 1],
      ["bytes=-10", length - 10, length - 1],
      [`bytes=5-${length * 2}`, 5, length - 1],
      [`bytes=-${length * 2}`, 0, length - 1],
    ] as const) {
      const answer = await fetch(address, { headers: { range } });
      expect([range, answer.status]).toEqual([range, 206]);
      expect(answer.headers.get("content-range")).toBe(`bytes ${first}-${last}/${length}`);
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(whole.slice(first, last + 1));
    }
  });

  test.each(["bytes=5-1", "bytes=-", "bytes=0-1,5-6", "lines=0-1", "nonsense"])(
    "comes as a whole for the range %s",
    async (range) => {
      const { address } = await serve(video);
      expect((await fetch(address, { headers: { range } })).status).toBe(200);
    },
  );

  test.each(["bytes=1000000-", "bytes=-0"])("has no part %s", async (range) => {
    const { address, service, id } = await serve(video);
    const answer = await fetch(address, { headers: { range } });
    expect(answer.status).toBe(416);
    const length = service.artwork(id, 1, { format: "mp4" })?.length;
    expect(answer.headers.get("content-range")).toBe(`bytes */${length}`);
  });

  test("tells its length to HEAD", async () => {
    const { address, service, id } = await serve(video);
    const answer = await fetch(address, { method: "HEAD", headers: { range: "bytes=0-1" } });
    expect(answer.status).toBe(200);
    const { length } = service.artwork(id, 1, { format: "mp4" }) ?? [];
    expect(answer.headers.get("content-length")).toBe(String(length));
    expect(answer.headers.get("content-type")).toBe("video/mp4");
    expect(await answer.text()).toBe("");
  });

  test("has posters: an SVG that moves, and a PNG", async () => {
    const { address } = await serve(video);
    const moving = await (await fetch(address.replace("mp4", "svg"))).text();
    expect(moving).toContain("<animate");
    const still = await fetch(address.replace("mp4", "png"));
    expect(still.headers.get("content-type")).toBe("image/png");
  });
});

describe("a served picture", () => {
  test("is a PNG file where the service makes those", async () => {
    const { address, id, service } = await serve(
      { action: "generate-ad" },
      { pictureFormat: "png" },
    );
    expect(address).toMatch(/\/1\.png$/);
    const answer = await fetch(address);
    expect(answer.headers.get("content-type")).toBe("image/png");
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(bytes).toEqual(service.artwork(id, 1, { format: "png" }));
    expect(Buffer.from(bytes.subarray(0, 8)).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  });

  test("has no video, and no other ending", async () => {
    const { address } = await serve({ action: "generate-ad" });
    expect((await fetch(address)).headers.get("content-type")).toBe("image/svg+xml");
    expect((await fetch(address.replace("svg", "png"))).status).toBe(200);
    expect((await fetch(address.replace("svg", "mp4"))).status).toBe(404);
    expect((await fetch(address.replace("svg", "gif"))).status).toBe(404);
  });
});
