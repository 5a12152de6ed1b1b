import { expect, test } from "vitest";
import { setUp } from "./set-up.ts";

const made = async (body: object) => {
  const { submit, finish } = setUp();
  return (await finish(await submit(body))).result;
};

test("pictures are one for each variation, each of its own, and show the prompt as text", async () => {
  const { images } = await made({ prompt: `<b>"Summer" & 'sun'</b>`, variations: 3 });
  expect(new Set(images.map(({ url }: { url: string }) => url)).size).toBe(3);
  const svg = decodeURIComponent(images[0].url.replace("data:image/svg+xml,", ""));
  expect(svg).toContain(`&lt;b&gt;"Summer" &amp; 'sun'&lt;/b&gt;`);
  expect(images[0]).toMatchObject({ width: 1080, height: 1080 });
});

test("a video is an MP4 file with the seconds that were asked for", async () => {
  const { videos } = await made({ action: "video-a-2", duration: 8 });
  expect(videos).toEqual([{ url: expect.stringMatching(/^data:video\/mp4;base64,/), duration: 8 }]);
});

test("copy quotes the prompt, once for each variation, and names the brand", async () => {
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
  "%j makes a picture",
  async (prompt) => {
    const { images } = await made({ prompt });
    expect(decodeURIComponent(images[0].url)).toMatch(/<\/svg>$/);
  },
);
