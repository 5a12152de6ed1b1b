import { describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";

const resultOf = async (body: object) => {
  const ask = createAsk(createMockService());
  const { job_id } = (await ask("POST", "/v1/jobs", body)).data;
  await ask("GET", `/v1/jobs/${job_id}`);
  return (await ask("GET", `/v1/jobs/${job_id}`)).data.result;
};

const svgOf = (url: string): string => {
  expect(url).toMatch(/^data:image\/svg\+xml,/);
  return decodeURIComponent(url.slice("data:image/svg+xml,".length));
};

describe("a completed job's result", () => {
  test("is one picture for each variation, each of its own", async () => {
    const { images } = await resultOf({ action: "generate-ad", prompt: "Sale", variations: 3 });
    expect(images).toHaveLength(3);
    expect(new Set(images.map(({ url }: { url: string }) => url)).size).toBe(3);
    for (const image of images) expect(image).toMatchObject({ width: 1080, height: 1080 });
    const svg = svgOf(images[1].url);
    for (const words of ["generate-ad", "Sale", "#2", "1080×1080"]) expect(svg).toContain(words);
  });

  test("is one picture when the request does not say how many", async () => {
    expect((await resultOf({ action: "copy-ad" })).images).toHaveLength(1);
  });

  test("is a video of the duration that was asked for", async () => {
    const { videos } = await resultOf({ action: "video-a-2", prompt: "Sale", duration: 8 });
    expect(videos).toEqual([{ url: expect.any(String), duration: 8 }]);
    expect(svgOf(videos[0].url)).toContain('dur="8s"');
    expect((await resultOf({ action: "video-a-2" })).videos[0].duration).toBe(5);
  });

  test("is ad text for each variation", async () => {
    const { copy } = await resultOf({
      action: "generate-ad-copy",
      prompt: "summer shoes",
      variations: 7,
    });
    expect(copy).toHaveLength(7);
    for (const text of copy) {
      expect(Object.keys(text)).toEqual([
        "headline",
        "primary_text",
        "description",
        "call_to_action",
      ]);
      expect(Object.values(text).every((words) => typeof words === "string" && words)).toBe(true);
      expect(text.headline).toContain("summer shoes");
    }
  });

  test.each([
    ["markup", `<script>alert("1")</script> & 'more'`],
    ["half a surrogate pair", "sale \ud83d"],
    ["characters XML cannot hold", "a\u0000b\u0007c\ufffed\uffff"],
    ["a pair cut in two", `${"x".repeat(79)}😀`],
    ["far too many words", "sale ".repeat(100_000)],
  ])("draws a prompt with %s as plain text", async (_, prompt) => {
    const { images } = await resultOf({ action: "image-a-pro", prompt });
    const svg = svgOf(images[0].url);
    expect(svg).not.toContain("<script");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(svg).not.toMatch(/[\u0000-\u001f\p{Cs}\ufffe\uffff]/u);
    expect(svg.match(/<text/g)).toHaveLength(3);
    expect(images[0].url.length).toBeLessThan(3_000);
  });
});
