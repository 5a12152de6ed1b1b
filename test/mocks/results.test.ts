import { describe, expect, expectTypeOf, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { makeArtwork } from "../../mocks/seeded/artwork.ts";
import type { MadeFrom } from "../../mocks/seeded/made-from.ts";
import { makeResult } from "../../mocks/seeded/results.ts";
import { actions, creditOfAction } from "../../src/contract/actions.ts";
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

  test("is a video of the duration that was asked for", async () => {
    const { videos } = await resultOf({ action: "video-a-2", prompt: "Sale", duration: 8 });
    expect(videos).toEqual([{ url: expect.any(String), duration: 8 }]);
    expect(videos[0].url.slice(0, 27)).toBe("data:video/mp4;base64,AAAAI");
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
    expect(images[0].url.length).toBeLessThan(3_000);
  });
});

const pictureOf = (job: MadeFrom, variation: number) => makeArtwork(job, variation, "svg");

const job = (changes: Partial<MadeFrom> = {}): MadeFrom => ({
  id: "job_1",
  action: "generate-ad",
  prompt: "Summer sale",
  variations: 3,
  duration: undefined,
  ...changes,
});

describe("a job's pictures", () => {
  test.each(actions)("of %s are as many as its variations, or none for text", (action) => {
    const duration = creditOfAction[action] === "video" ? 8 : undefined;
    const drawn = [0, 1, 3, 4, 1.5, Number.NaN].map(
      (variation) => pictureOf(job({ action, duration }), variation) !== undefined,
    );
    const some = creditOfAction[action] !== null;
    expect(drawn).toEqual([false, some, some, false, false, false]);
  });

  test("are found where the caller says, or in the answer itself", () => {
    const served = makeResult(job(), (variation) => `https://ads.test/${variation}.svg`);
    expect(served).toEqual({
      images: [1, 2, 3].map((variation) => ({
        url: `https://ads.test/${variation}.svg`,
        width: 1080,
        height: 1080,
      })),
    });
    const inline = makeResult(job());
    const urls = "images" in inline ? inline.images.map(({ url }) => url) : [];
    expect(urls.map(svgOf)).toEqual([1, 2, 3].map((variation) => pictureOf(job(), variation)));
  });

  test("are PNG files where the service makes those, inline too", async () => {
    const service = createMockService({ pictureFormat: "png" });
    const ask = createAsk(service);
    const { job_id } = (await ask("POST", "/v1/jobs", { action: "generate-ad" })).data;
    service.jobs.complete(job_id);
    const { images } = (await ask("GET", `/v1/jobs/${job_id}`)).data.result;
    const [start, base64] = images[0].url.split(",");
    expect(start).toBe("data:image/png;base64");
    const file = service.artwork(job_id, 1, { format: "png" });
    expect(Buffer.from(base64, "base64")).toEqual(Buffer.from(file ?? []));
    expect(service.artwork(job_id, 1)).toMatch(/^<svg/);
  });

  test("are refused in a format that does not exist", () => {
    const { artwork } = createMockService();
    // @ts-expect-error: no such format
    expect(() => artwork("job_1", 1, { format: "gif" })).toThrow(
      'The mock\'s artwork.format must be one of svg, png, mp4; it is "gif"',
    );
    expectTypeOf(artwork("job_1", 1)).toEqualTypeOf<string | undefined>();
    expectTypeOf(artwork("job_1", 1, { format: "mp4" })).toEqualTypeOf<
      Uint8Array<ArrayBuffer> | undefined
    >();
  });
});

describe("a job's copy", () => {
  const copyOf = (changes: Partial<MadeFrom>) => {
    const result = makeResult(job({ action: "generate-ad-copy", variations: 10, ...changes }));
    return "copy" in result ? result.copy : [];
  };

  test("is ten different ads for ten variations, and neighbours differ in each field", () => {
    for (const id of ["job_1", "job_2", "job_3"]) {
      const copy = copyOf({ id });
      expect(new Set(copy.map((entry) => JSON.stringify(entry))).size).toBe(10);
      for (const field of ["headline", "primary_text", "description", "call_to_action"] as const) {
        const texts = copy.map((entry) => entry[field]);
        expect(new Set(texts).size).toBe(4);
        expect(texts.filter((text, index) => text === texts[index + 1])).toEqual([]);
      }
    }
  });

  test("is the same for the same job, and another for another job", () => {
    expect(copyOf({})).toEqual(copyOf({}));
    expect(copyOf({ id: "job_2" })).not.toEqual(copyOf({}));
  });

  test.each([
    ["Please write me three ads for summer shoes!", "summer shoes"],
    ["Create a short Facebook ad about our new bike.", "our new bike"],
    [
      "A cosy cabin in the woods, with a fire, and snow outside, and a dog",
      "cosy cabin in the woods",
    ],
    ["夏セール", "夏セール"],
    ["", "something new"],
  ])("quotes what %j is about", (prompt, topic) => {
    for (const { headline } of copyOf({ prompt })) {
      expect(headline).toContain(topic);
      expect(headline).not.toMatch(/\bads? (?:for|about)\b/);
      expect(headline.length).toBeLessThan(110);
    }
  });

  test.each([
    ["夏のレモネード at 東京", /^[^a-z]*(?:at)?[^a-z]*$/, "今すぐ購入 詳しく見る 特典を受け取る"],
    ["夏季大促销", /上市|遇见|推荐|简单/, "立即购买 了解更多 领取优惠"],
    ["여름 신발", /새로|지금|오늘|간단/, "지금 구매하기 자세히 알아보기 혜택 받기"],
    ["รองเท้าหน้าร้อน", /มาแล้ว|พบกับ|แนะนำ|ง่าย/, "ซื้อเลย ดูเพิ่มเติม รับข้อเสนอ"],
    ["أحذية الصيف", /جديد|تعرّفوا|ببساطة|وصل/, "تسوّق الآن اعرف المزيد احصل على العرض"],
    ["נעלי קיץ Nike", /חדש|הכירו|פשוט|הגיע/, "לקנייה למידע נוסף לקבלת ההצעה"],
    ["Zapatos de verano 夏", /Meet|Made|Say|Just/, "Shop now Learn more Get offer Sign up"],
  ])("is in the language of the script of %j", (prompt, headline, calls) => {
    const copy = copyOf({ prompt, brand: { name: "Acme", colors: [] } });
    expect(new Set(copy.map((entry) => JSON.stringify(entry))).size).toBe(10);
    for (const entry of copy) {
      expect(entry.headline).toContain(prompt);
      expect(entry.headline.replace("Acme", "")).toMatch(headline);
      expect(entry.headline + entry.primary_text).toContain("Acme");
      expect(calls).toContain(entry.call_to_action);
      expect(Object.values(entry).join()).not.toMatch(/[{}]/);
    }
    for (const [index, entry] of copy.entries()) {
      expect(entry.call_to_action).not.toBe(copy[index + 1]?.call_to_action);
    }
  });

  test("cuts a long subject after a whole emoji or syllable, with an ellipsis", () => {
    const family = "👨‍👩‍👧‍👦";
    for (const { headline } of copyOf({ prompt: family.repeat(90) })) {
      expect(headline.replaceAll(family, "")).toMatch(/^\D*…$/);
    }
  });

  test("starts a sentence with a capital, and does not put one into it", () => {
    const headlines = copyOf({ prompt: "A cosy cabin" }).map(({ headline }) => headline);
    expect(headlines.every((headline) => /^[A-Z]/.test(headline))).toBe(true);
    expect(headlines.filter((headline) => / A cosy/.test(headline))).toEqual([]);
  });

  test("is well-formed text for any prompt", () => {
    for (const prompt of ["\ud83d sale", "a\u0000\nb", `${"x".repeat(79)}\ud83d`]) {
      for (const { headline } of copyOf({ prompt })) {
        expect(headline).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      }
    }
  });
});
