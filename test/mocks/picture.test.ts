import { describe, expect, test } from "vitest";
import { type Color, paletteOf, partsOf, readColor } from "../../mocks/seeded/colors.ts";
import { dataUrlOf } from "../../mocks/seeded/svg.ts";
import { drawSample, type SampleChanges, sampleSvg } from "../helpers/sample-picture.ts";

const video: SampleChanges = { action: "video-a-2", width: 1280, height: 720, duration: 8 };

/** Texts of a picture, from top to bottom, without their markup. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);

describe("a picture", () => {
  test("says its action, its words, its number and its size", () => {
    const svg = sampleSvg({ variation: 2, variations: 4, brand: { name: "Acme", colors: [] } });
    const texts = textsOf(svg);
    expect(texts).toContain("Acme");
    expect(texts).toContain("generate-ad · #2/4 · 1080×1080");
    expect(texts.join(" ")).toContain("Summer sale");
    expect(svg).toContain("<title>generate-ad #2: Summer sale</title>");
    expect(svg).toContain(" width='1080' height='1080' ");
  });

  test("shares neither colours nor motif with the variations next to it", () => {
    const parts = Array.from({ length: 10 }, (_, index) => {
      const { things } = drawSample({ variation: index + 1, variations: 10 });
      const label = things.find((thing) => "text" in thing && thing.isCentered);
      return { base: label?.color, motif: JSON.stringify(things.slice(1, 4)) };
    });
    expect(new Set(parts.map(({ base }) => base)).size).toBe(10);
    expect(new Set(parts.map(({ motif }) => motif)).size).toBe(10);
  });

  test("looks different with another seed", () => {
    const ids = Array.from({ length: 20 }, (_, index) => `job_${index}`);
    const drawn = new Set(ids.map((id) => sampleSvg({ id })));
    expect(drawn.size).toBeGreaterThan(18);
  });

  test.each([
    ["generate-ad", true],
    ["edit-ad", true],
    ["image-a-2", false],
  ] as const)("of %s has a button: %j", (action, hasButton) => {
    expect(sampleSvg({ action }).includes("text-anchor='middle'")).toBe(hasButton);
  });

  test("is about two kilobytes as a data URL", () => {
    const sizes = Array.from({ length: 84 }, (_, index) => [
      dataUrlOf(sampleSvg({ variation: index + 1 })).length,
      dataUrlOf(sampleSvg({ ...video, variation: index + 1 })).length,
    ]).flat();
    expect(Math.max(...sizes)).toBeLessThan(3_000);
    expect(sizes.reduce((sum, size) => sum + size) / sizes.length).toBeLessThan(2_000);
  });

  test("keeps every word of a headline that fits, whole", () => {
    const prompt = "Fresh coffee for slow mornings and late evenings";
    for (let variation = 1; variation <= 12; variation += 1) {
      const texts = textsOf(sampleSvg({ prompt, variation }));
      expect(texts.join(" ")).toContain(prompt);
    }
  });

  test("ends a headline that is too long with an ellipsis", () => {
    const texts = textsOf(sampleSvg({ prompt: "very good shoes ".repeat(40) }));
    expect(texts.find((text) => text.endsWith("…"))).toMatch(/^(?:very|good|shoes)/);
    expect(texts.length).toBeLessThan(12);
  });

  test("breaks lines between Chinese words, and never inside an emoji", () => {
    const family = "👨‍👩‍👧‍👦";
    const prompts = ["夏季大促销全场五折起今日特价仅此一天".repeat(2), family.repeat(7)];
    for (const prompt of prompts) {
      const texts = textsOf(sampleSvg({ prompt }));
      expect(texts.join("")).toContain(prompt);
    }
    for (const text of textsOf(sampleSvg({ prompt: family.repeat(7) }))) {
      if (text.includes("👨")) expect(text.replaceAll(family, "")).toBe("");
    }
  });

  test("breaks no line of Thai inside a syllable", () => {
    const prompt = "กรุงเทพมหานครสำหรับคุณเที่ยวไทย".repeat(2);
    for (let variation = 1; variation <= 12; variation += 1) {
      for (const width of [1080, 1350, 1920]) {
        const texts = textsOf(sampleSvg({ prompt, variation, width }));
        expect(texts.join("")).toContain(prompt);
        for (const text of texts)
          expect(text).not.toMatch(/^[\p{M}\u0E30-\u0E3A]|[\u0E40-\u0E44]$/u);
      }
    }
  });

  test.each([
    "Fresh coffee for slow mornings",
    "夏季大促销全场五折起今日特价仅此一天",
    "新しい「夏の靴」が、全品半額。",
    "여름 신발 전 품목 50% 할인",
    "กรุงเทพมหานครสำหรับคุณเที่ยวไทย",
    "تخفيضات الصيف على كل الأحذية",
    "מבצע קיץ על כל הנעליים",
    "W".repeat(500),
    "👨‍👩‍👧‍👦".repeat(60),
    "\u0301".repeat(500),
  ])("keeps the words of %j inside of the picture", (prompt) => {
    const brand = { name: prompt, colors: [] };
    for (let variation = 1; variation <= 6; variation += 1) {
      for (const size of [{}, { width: 1920 }, { height: 1920 }, { height: 2160 }]) {
        const { width, height, things } = drawSample({ prompt, brand, variation, ...size });
        const unit = Math.min(width, height) / 100;
        for (const thing of things) {
          if (!("text" in thing)) continue;
          expect(thing.x).toBeGreaterThan(4);
          expect(thing.x + thing.width).toBeLessThan(width / unit - 4);
          expect(thing.y - 0.8 * thing.size).toBeGreaterThan(4);
          expect(thing.y).toBeLessThan(height / unit - 4);
        }
      }
    }
  });

  test("sets words narrower that are wider than their room", () => {
    const name = "W".repeat(40);
    const svg = sampleSvg({ brand: { name, colors: [] } });
    expect(svg).toMatch(
      new RegExp(`<text [^>]* textLength='64' lengthAdjust='spacingAndGlyphs'>${name}</text>`),
    );
    expect(sampleSvg({ prompt: "Sale", brand: { name: "Acme", colors: [] } })).not.toContain(
      "textLength",
    );
  });

  test("ends a prompt that it cuts with an ellipsis, after a whole emoji", () => {
    const family = "👨‍👩‍👧‍👦";
    const svg = sampleSvg({ prompt: `${"x".repeat(239)}${family}` });
    expect(/<title>(.*)<\/title>/.exec(svg)?.[1]).toMatch(/ x{239}…$/);
    expect(sampleSvg({ prompt: "x".repeat(240) })).not.toContain("…</title>");
  });

  test("sets Arabic and Hebrew from right to left", () => {
    expect(sampleSvg({ prompt: "تخفيضات الصيف" })).toContain(" direction='rtl'");
    expect(sampleSvg({ prompt: "50% מבצע קיץ" })).toContain(" direction='rtl'");
    expect(sampleSvg()).not.toContain("direction");
  });
});

describe("a moving picture", () => {
  test("loops in the time that it says it takes", () => {
    for (let variation = 1; variation <= 14; variation += 1) {
      const svg = sampleSvg({ ...video, variation });
      const timings = svg.match(/dur='8s' repeatCount='indefinite'/g) ?? [];
      expect(timings.length).toBeGreaterThanOrEqual(2);
      expect(textsOf(svg)).toContain("0:08");
      expect(textsOf(svg)).toContain(`video-a-2 · #${variation} · 1280×720 · 8 s`);
    }
  });

  test.each([
    [0.001, "0.5s"],
    [2.5, "2.5s"],
    [60, "60s"],
    [1 / 3, "0.5s"],
  ])("of %d seconds moves in %s", (duration, timing) => {
    expect(sampleSvg({ ...video, duration })).toContain(`dur='${timing}'`);
  });

  test("is the only one that moves", () => {
    expect(sampleSvg()).not.toContain("animate");
  });
});

/** Relative luminance by WCAG 2.2. */
const luminanceOf = (color: Color): number => {
  const [red = 0, green = 0, blue = 0] = partsOf(color)
    .map((part) => part / 255)
    .map((part) => (part <= 0.04 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

describe("a brand's colours", () => {
  const colors = ["#0a7", "rgb(255, 204, 0)", "navy"];

  test("are painted in its pictures", () => {
    for (let variation = 1; variation <= 6; variation += 1) {
      const svg = sampleSvg({ variation, brand: { name: "Velo", colors } });
      for (const color of colors) expect(svg).toContain(`fill='${readColor(color)}'`);
    }
  });

  test.each([
    "",
    "#12",
    "#12345",
    "#1234567",
    "#ggg",
    "fff",
    "constructor",
    "currentColor",
    "url(https://example.com/x)",
    "var(--brand)",
    "red'/><script>",
    "rgb(1,2)",
    "rgb(-1,2,3)",
    "rgb(1deg,2,3)",
    "expression(alert(1))",
    "#fffffffff",
  ])("are ignored when they are none: %j", (text) => {
    expect(readColor(text)).toBeUndefined();
    const brand = { name: "Acme", colors: [text] };
    const without = { name: "Acme", colors: [] };
    expect(sampleSvg({ brand })).toBe(sampleSvg({ brand: without }));
  });

  test("leave the text readable, because it stands on a ground of its own", () => {
    for (const given of [[], ["white"], ["black"], ["#777"], colors]) {
      for (let turn = 0; turn < 24; turn += 1) {
        const { base, ink } = paletteOf(given, turn);
        const [dark = 0, light = 0] = [base, ink].map(luminanceOf).sort((a, b) => a - b);
        expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test("make a scene of three different colours", () => {
    for (const given of [["white"], ["black"], ["#fff", "#000"], ["gray", "gray"], []]) {
      for (let turn = 0; turn < 12; turn += 1) {
        const { scene } = paletteOf(given, turn);
        expect(new Set(scene).size).toBe(3);
      }
    }
  });
});

test("a data URL holds the picture, and nothing that JSON or HTML would have to escape", () => {
  const svg = sampleSvg({ prompt: `50% "off" & more #1 夏 😀` });
  const url = dataUrlOf(svg);
  expect(url).toMatch(/^data:image\/svg\+xml,[\w!'()*,./=~%-]+$/);
  expect(decodeURIComponent(url.slice(url.indexOf(",") + 1))).toBe(svg);
});
