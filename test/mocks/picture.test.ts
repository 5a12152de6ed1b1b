import { describe, expect, test } from "vitest";
import { paletteOf, partsOf, readColor } from "../../mocks/seeded/colors.ts";
import { writePng } from "../../mocks/seeded/png.ts";
import { dataUrlOf } from "../../mocks/seeded/svg.ts";
import { contrastOf } from "../helpers/contrast.ts";
import { drawSample, type SampleChanges, sampleSvg } from "../helpers/sample-picture.ts";

const video: SampleChanges = { action: "video-a-2", width: 1280, height: 720, duration: 8 };
const family = "👨‍👩‍👧‍👦";
const chinese = "夏季大促销全场五折起今日特价仅此一天";
const thai = "กรุงเทพมหานครสำหรับคุณเที่ยวไทย";

/** Numbers of variations, from 1. */
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Texts of a picture, from top to bottom, without their markup. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);

describe("a picture", () => {
  test("says its brand, action and number, and has a title", () => {
    const svg = sampleSvg({ variation: 2, variations: 4, brand: { name: "Acme", colors: [] } });
    expect(textsOf(svg)).toContain("Acme · generate-ad · #2/4 · 1080×1080");
    const title = "<title>generate-ad #1: &lt;b&gt; &amp; &quot;c&apos;</title>";
    expect(sampleSvg({ prompt: `<b> & "c'` })).toContain(title);
    expect(textsOf(sampleSvg(video))).toContain("8 s");
    expect(textsOf(sampleSvg(video)).at(-1)).toBe("video-a-2 · #1 · 1280×720 · 8 s");
  });

  test("is about one kilobyte as a data URL, which nothing has to escape", () => {
    const sizes = upTo(84).flatMap((variation) => [
      dataUrlOf(sampleSvg({ variation })).length,
      dataUrlOf(sampleSvg({ ...video, variation })).length,
    ]);
    expect(Math.max(...sizes)).toBeLessThan(2_000);
    expect(sizes.reduce((sum, size) => sum + size) / sizes.length).toBeLessThan(1_400);
    const svg = sampleSvg({ prompt: `50% "off" & more #1 夏 😀` });
    const url = dataUrlOf(svg);
    expect(url).toMatch(/^data:image\/svg\+xml,[\w!'()*,./=~%-]+$/);
    expect(decodeURIComponent(url.slice(url.indexOf(",") + 1))).toBe(svg);
  });

  test("keeps every word of a headline that fits, and ends a longer one with an ellipsis", () => {
    const prompt = "Fresh coffee for slow mornings and late evenings";
    for (const variation of upTo(12)) {
      expect(textsOf(sampleSvg({ prompt, variation })).join(" ")).toContain(prompt);
    }
    const texts = textsOf(sampleSvg({ prompt: "very good shoes ".repeat(40) }));
    expect(texts.find((text) => text.endsWith("…"))).toMatch(/^(?:very|good|shoes)/);
    expect(texts.length).toBeLessThan(12);
  });

  test("breaks lines between Chinese letters, never inside an emoji", () => {
    for (const prompt of [chinese.repeat(2), family.repeat(7)]) {
      const texts = textsOf(sampleSvg({ prompt }));
      expect(texts.join("")).toContain(prompt);
      for (const text of texts.filter((line) => line.includes("👨"))) {
        expect(text.replaceAll(family, "")).toBe("");
      }
    }
    expect(textsOf(sampleSvg({ prompt: chinese })).length).toBeGreaterThan(2);
  });

  test.each([
    ...["Fresh coffee for slow mornings", chinese, "新しい「夏の靴」が、全品半額。", thai],
    ...["여름 신발 전 품목 50% 할인", "تخفيضات الصيف على كل الأحذية", "מבצע קיץ על כל הנעליים"],
    ...["W".repeat(500), family.repeat(60), "\u0301".repeat(500)],
  ])("keeps the words of %j inside of the picture", (prompt) => {
    const brand = { name: prompt, colors: [] };
    for (const variation of upTo(6)) {
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
    const wide = `textLength='80' lengthAdjust='spacingAndGlyphs'>${"W".repeat(60)}</text>`;
    expect(sampleSvg({ prompt: "W".repeat(60) })).toMatch(new RegExp(`<text [^>]* ${wide}`));
    expect(sampleSvg({ prompt: "Sale" })).not.toContain("textLength");
  });

  test("is the same PNG for the same job, to the last byte, and under 8 kB", () => {
    const prompt = "Fresh coffee for slow mornings, late evenings and everything between";
    for (const variation of upTo(6)) {
      const brand = { name: "Acme", colors: variation % 2 ? [] : ["#000080", "#fa8072"] };
      const make = () => writePng(drawSample({ variation, brand, prompt }));
      const png = make();
      expect(Buffer.from(png).equals(make())).toBe(true);
      expect(png.length).toBeLessThan(8_000);
    }
  });
});

describe("a brand's colours", () => {
  const colors = ["#0a7", "#ffcc00", "#000080"];

  test("are ignored when they are none", () => {
    const without = sampleSvg({ brand: { name: "Acme", colors: [] } });
    for (const text of [
      ...["", "#12", "#12345", "#1234567", "#ggg", "fff", "#fffffffff", "constructor"],
      ...["currentColor", "url(https://example.com/x)", "var(--brand)", "red'/><script>"],
      ...["rgb(1,2,3)", "navy", "#0a78", "expression(alert(1))"],
    ]) {
      expect(readColor(text), text).toBeUndefined();
      expect(sampleSvg({ brand: { name: "Acme", colors: [text] } }), text).toBe(without);
    }
  });

  test("leave the text readable, on a ground of its own, in a scene of three colours", () => {
    const sets = [[], ["#fff"], ["#000"], ["#777"], ["#fff", "#000"], ["#888", "#888"], colors];
    for (const given of sets) {
      for (const turn of upTo(24)) {
        const { base, ink, scene } = paletteOf(given, turn);
        const contrast = contrastOf(partsOf(base), partsOf(ink));
        expect(contrast, String(given)).toBeGreaterThanOrEqual(4.5);
        expect(new Set(scene).size, String(given)).toBe(3);
      }
    }
  });
});
