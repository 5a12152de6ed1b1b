import { describe, expect, test } from "vitest";
import type { MockService } from "../../mocks/index.ts";
import { atOnce, setUp } from "./set-up.ts";

const made = async (body: object) => {
  const { submit, finish } = setUp();
  return (await finish(await submit(body))).result;
};

test("a job has a different picture for each variation, which shows the prompt as text", async () => {
  const { images } = await made({ prompt: `<b>"Summer" & 'sun'</b>`, variations: 3 });
  expect(new Set(images.map(({ url }: { url: string }) => url)).size).toBe(3);
  const svg = decodeURIComponent(images[0].url.replace("data:image/svg+xml,", ""));
  expect(svg).toContain(`&lt;b&gt;"Summer" &amp; 'sun'&lt;/b&gt;`);
  expect(images[0]).toMatchObject({ width: 1080, height: 1080 });
});

test("a video is an MP4 file of the requested seconds", async () => {
  const { videos } = await made({ action: "video-a-2", duration: 8 });
  expect(videos).toEqual([{ url: expect.stringMatching(/^data:video\/mp4;base64,/), duration: 8 }]);
});

test("ad copy quotes the prompt once for each variation, and names the brand", async () => {
  const { submit, finish, ask } = setUp();
  const { id } = (await ask("POST", "/v1/brands", { name: "Acme" })).data;
  const body = {
    action: "generate-ad-copy",
    prompt: "Running\nshoes",
    variations: 2,
    brand_id: id,
  };
  const { copy } = (await finish(await submit(body))).result;
  expect(copy.map(({ headline }: { headline: string }) => headline)).toEqual([
    "1. Meet “Running shoes” by Acme",
    "2. Meet “Running shoes” by Acme",
  ]);
});

test.each(["\ud800", "\u0000\ufffe", `${"x".repeat(29)}😀`, ""])(
  "a picture is valid SVG for the prompt %j",
  async (prompt) => {
    const { images } = await made({ prompt });
    expect(decodeURIComponent(images[0].url)).toMatch(/<\/svg>$/);
  },
);

test("a finished job looks the same each time, alone, in a list and in the journal", async () => {
  const { ask, submit, journal } = setUp({ timeline: atOnce });
  const path = `/v1/jobs/${await submit({ variations: 2 })}`;
  const { text, data } = await ask("GET", path);
  expect((await ask("GET", path)).text).toBe(text);
  const shown = JSON.stringify({ success: true, data: { jobs: [data] }, error: null });
  for (let time = 0; time < 2; time += 1) expect((await ask("GET", "/v1/jobs")).text).toBe(shown);
  for (let count = 0; count < 20; count += 1) await submit();
  const answered = await ask("GET", "/v1/jobs?limit=20");
  expect(journal.entries.at(-1)?.answer).toEqual(JSON.parse(answered.text));
});

describe("files by URL", () => {
  const url = "http://x.test/api/v1/jobs";
  const headers = { authorization: "Bearer test-key" };

  /** Finishes a job, and reads it by `reply`, which links to files as a server does. */
  const served = async (body: object) => {
    const { service, submit, finish } = setUp();
    const id = await submit(body);
    const inline = await finish(id);
    const reply = await service.reply(new Request(`${url}/${id}`, { headers }));
    return { service, id, inline: inline.result, result: JSON.parse(reply.body).data.result };
  };
  const read = async (service: MockService, url: string, headers: Record<string, string> = {}) => {
    const answer = service.artwork(new Request(url, { headers }));
    const { status } = answer;
    return { status, headers: answer.headers, text: await answer.text() };
  };

  test("a result links to files below the requested base URL, with the content that fetch inlines", async () => {
    const { service, id, inline, result } = await served({ prompt: "Summer", variations: 2 });
    expect(result.images.map(({ url }: { url: string }) => url)).toEqual([
      `http://x.test/api/__mock/artwork/${id}/1.svg`,
      `http://x.test/api/__mock/artwork/${id}/2.svg`,
    ]);
    for (const [place, { url }] of result.images.entries()) {
      const { status, headers, text } = await read(service, url);
      expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
      expect(`data:image/svg+xml,${encodeURIComponent(text)}`).toBe(inline.images[place].url);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    }
  });

  test.each(["3.svg", "0.svg", "1.mp4", "01.svg", "x", "1.svg.exe"])(
    "a file that no job has gets a 404: %s",
    async (name) => {
      const { service, result } = await served({ variations: 2 });
      const other = result.images[0].url.replace("1.svg", name);
      expect((await read(service, other)).status).toBe(404);
    },
  );

  test.each([
    ["bytes=0-", 206, (length: number) => `bytes 0-${length - 1}/${length}`],
    ["bytes=8-99", 206, (length: number) => `bytes 8-99/${length}`],
    ["bytes=-5", 200, () => null],
    ["bytes=0-1,4-5", 200, () => null],
  ])("a video answers the range %s", async (range, status, expected) => {
    const { service, result } = await served({ action: "video-a-2" });
    const whole = service.artwork(new Request(result.videos[0].url));
    const length = Number(whole.headers.get("content-length"));
    expect((await whole.arrayBuffer()).byteLength).toBe(length);
    const part = await read(service, result.videos[0].url, { range });
    expect([part.status, part.headers.get("content-range")]).toEqual([status, expected(length)]);
  });

  test("a reset removes the files of a result", async () => {
    const { service, result } = await served({});
    service.reset();
    expect((await read(service, result.images[0].url)).status).toBe(404);
  });
});
