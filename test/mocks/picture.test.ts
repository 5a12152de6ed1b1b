import { describe, expect, test } from "vitest";
import { isColor, paletteOf } from "../../mocks/seeded/colors.ts";
import { fitLines } from "../../mocks/seeded/lines.ts";
import { dataUrlOf, drawPicture, type Picture } from "../../mocks/seeded/picture.ts";
import { samplePicture } from "../helpers/sample-picture.ts";

const video: Partial<Picture> = { action: "video-a-2", width: 1280, height: 720, duration: 8 };

/** Texts of a picture, from top to bottom, without their markup. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);

describe("a picture", () => {
  test("says its action, its words, its number and its size", () => {
    const svg = drawPicture(
      samplePicture({ variation: 2, variations: 4, brand: { name: "Acme", colors: [] } }),
    );
    const texts = textsOf(svg);
    expect(texts).toContain("Acme");
    expect(texts).toContain("generate-ad · #2/4 · 1080×1080");
    expect(texts.join(" ")).toContain("Summer sale");
    expect(svg).toContain("<title>generate-ad #2: Summer sale</title>");
    expect(svg).toContain(" width='1080' height='1080' ");
  });

  test("is the same for the same job, to the last byte", () => {
    expect(drawPicture(samplePicture({ seed: "a" }))).toBe(
      drawPicture(samplePicture({ seed: "a" })),
    );
  });

  test("shares neither colours nor motif with the variations next to it", () => {
    const parts = Array.from({ length: 10 }, (_, index) => {
      const svg = drawPicture(samplePicture({ variation: index + 1, variations: 10 }));
      const [, motif = "", base = ""] =
        /<svg x=[^>]*>(.*?)<\/svg><rect [^>]*fill='(#\w+)'\/>/.exec(svg) ?? [];
      return { base, motif };
    });
    expect(new Set(parts.map(({ base }) => base)).size).toBe(10);
    expect(new Set(parts.map(({ motif }) => motif)).size).toBe(10);
  });

  test("looks different with another seed", () => {
    const seeds = Array.from({ length: 20 }, (_, index) => `job_${index}`);
    const drawn = new Set(seeds.map((seed) => drawPicture(samplePicture({ seed }))));
    expect(drawn.size).toBeGreaterThan(18);
  });

  test("carries the mark of its action", () => {
    const signs = (action: string) => {
      const svg = drawPicture(samplePicture({ action, seed: "a" }));
      return {
        frames: svg.includes("<g fill='none' stroke='#fff'"),
        selection: svg.includes("stroke-dasharray"),
        button: svg.includes("text-anchor='middle'"),
      };
    };
    expect(signs("copy-ad")).toEqual({ frames: true, selection: false, button: true });
    expect(signs("edit-ad")).toEqual({ frames: false, selection: true, button: true });
    expect(signs("generate-ad")).toEqual({ frames: false, selection: false, button: true });
    expect(signs("image-a-2")).toEqual({ frames: false, selection: false, button: false });
  });

  test("is about two kilobytes as a data URL", () => {
    const sizes = Array.from({ length: 84 }, (_, index) => [
      dataUrlOf(drawPicture(samplePicture({ variation: index + 1 }))).length,
      dataUrlOf(drawPicture(samplePicture({ ...video, variation: index + 1 }))).length,
    ]).flat();
    expect(Math.max(...sizes)).toBeLessThan(3_000);
    expect(sizes.reduce((sum, size) => sum + size) / sizes.length).toBeLessThan(2_000);
  });

  test("keeps every word of a headline that fits, whole", () => {
    const prompt = "Fresh coffee for slow mornings and late evenings";
    for (let variation = 1; variation <= 12; variation += 1) {
      const texts = textsOf(drawPicture(samplePicture({ prompt, variation })));
      expect(texts.join(" ")).toContain(prompt);
    }
  });

  test("ends a headline that is too long with an ellipsis", () => {
    const texts = textsOf(drawPicture(samplePicture({ prompt: "very good shoes ".repeat(40) })));
    expect(texts.find((text) => text.endsWith("…"))).toMatch(/^(?:very|good|shoes)/);
    expect(texts.length).toBeLessThan(12);
  });

  test("breaks lines between Chinese words, and never inside an emoji", () => {
    const family = "👨‍👩‍👧‍👦";
    const prompts = ["夏季大促销全场五折起今日特价仅此一天".repeat(2), family.repeat(12)];
    for (const prompt of prompts) {
      const texts = textsOf(drawPicture(samplePicture({ prompt })));
      expect(texts.join("")).toContain(prompt);
    }
    for (const text of textsOf(drawPicture(samplePicture({ prompt: family.repeat(12) })))) {
      if (text.includes("👨")) expect(text.replaceAll(family, "")).toBe("");
    }
  });

  test("starts no line with a full stop, and ends none with an opening bracket", () => {
    const prompt = "新しい「夏の靴」が、全品半額。今日だけ!".repeat(3);
    const texts = textsOf(drawPicture(samplePicture({ prompt })));
    const lines = texts.filter((text) => /\p{Script=Han}/u.test(text));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      expect(line).not.toMatch(/^[、。」!]|「$/);
    }
  });

  test("breaks a word that is wider than a line", () => {
    const prompt = "Donaudampfschifffahrtsgesellschaftskapitänsmützen";
    const texts = textsOf(drawPicture(samplePicture({ prompt })));
    expect(texts.join("")).toContain(prompt);
    expect(texts).not.toContain(prompt);
  });

  test("breaks no line of Thai inside a syllable, however narrow it is", () => {
    // The second one is written with a vowel of two parts.
    for (const prompt of ["กรุงเทพมหานครสำหรับคุณเที่ยวไทย", "ส\u0e4d\u0e32หรับแม่น\u0e49\u0e4d\u0e32"]) {
      for (let width = 3; width < 40; width += 1) {
        const { lines } = fitLines(prompt, width, 1_000, [5]);
        expect(lines.join("")).toBe(prompt);
        for (const line of lines) {
          expect(line).not.toMatch(/^[\p{M}\u0E30-\u0E3A]|[\u0E40-\u0E44]$/u);
        }
      }
    }
  });

  test("ends a prompt that it cuts with an ellipsis, after a whole emoji", () => {
    const family = "👨‍👩‍👧‍👦";
    const svg = drawPicture(samplePicture({ prompt: `${"x".repeat(239)}${family}` }));
    expect(/<title>(.*)<\/title>/.exec(svg)?.[1]).toMatch(/ x{239}…$/);
    expect(drawPicture(samplePicture({ prompt: "x".repeat(240) }))).not.toContain("…</title>");
  });

  test("keeps the brand within the frames of a copied ad, and within its room", () => {
    const name = "شركة الليمون العربية للمشروبات";
    const chip =
      /translate\(([\d.]+) ([\d.]+)\)' font-size='4'><rect width='([\d.]+)' height='8' rx='4' fill=/;
    const frame = /d='M([\d.]+) ([\d.]+)H([\d.]+)/;
    for (let variation = 1; variation <= 12; variation += 1) {
      for (const size of [{}, { width: 1920 }, { height: 1920 }]) {
        const brand = { name, colors: [] };
        const svg = drawPicture(samplePicture({ action: "copy-ad", variation, brand, ...size }));
        const [, left, top, width] = (chip.exec(svg) ?? []).map(Number);
        const [, frameLeft = 99, frameTop = 99, frameRight = 0] = (frame.exec(svg) ?? []).map(
          Number,
        );
        expect(left).toBeGreaterThan(frameLeft);
        expect(top).toBeGreaterThan(frameTop);
        expect((left ?? 99) + (width ?? 99)).toBeLessThan(frameRight);
        expect(textsOf(svg).find((text) => text.startsWith("شركة"))?.length).toBeGreaterThan(12);
        expect(svg).toMatch(/direction='rtl' y='5.4'/);
      }
    }
  });

  test("sets Arabic and Hebrew from right to left", () => {
    expect(drawPicture(samplePicture({ prompt: "تخفيضات الصيف" }))).toContain(" direction='rtl'");
    expect(drawPicture(samplePicture({ prompt: "50% מבצע קיץ" }))).toContain(" direction='rtl'");
    expect(drawPicture(samplePicture())).not.toContain("direction");
  });
});

describe("a moving picture", () => {
  test("loops in the time that it says it takes", () => {
    for (let variation = 1; variation <= 14; variation += 1) {
      const svg = drawPicture(samplePicture({ ...video, variation }));
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
    expect(drawPicture(samplePicture({ ...video, duration }))).toContain(`dur='${timing}'`);
  });

  test("is the only one that moves", () => {
    expect(drawPicture(samplePicture())).not.toContain("animate");
  });
});

/** Relative luminance by WCAG 2.2, of a colour of six digits. */
const luminanceOf = (color: string): number => {
  const parts = (color.slice(1).match(/../g) ?? []).map((part) => Number.parseInt(part, 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

describe("a brand's colours", () => {
  const colors = ["#0a7", "rgb(255, 204, 0)", "navy"];

  test("are painted in its pictures", () => {
    for (let variation = 1; variation <= 6; variation += 1) {
      const svg = drawPicture(samplePicture({ variation, brand: { name: "Velo", colors } }));
      for (const color of colors) expect(svg).toContain(`fill='${color}'`);
    }
  });

  test.each([
    "#fff",
    "#FA8072",
    "#fa807280",
    "#abc8",
    "Tomato",
    "rgb(1, 2, 3)",
    "rgb(100% 0% 50%)",
    "rgba(300, 0, 0, 0.5)",
    "hsl(120, 100%, 25%)",
    "hsl(200deg 80% 90% / 0.2)",
  ])("pass on: %s", (text) => {
    expect(isColor(text)).toBe(true);
    const svg = drawPicture(samplePicture({ brand: { name: "Velo", colors: [` ${text} `] } }));
    expect(svg).toContain(`fill='${text.toLowerCase()}'`);
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
    "#fff\n",
  ])("are ignored when they are none: %j", (text) => {
    expect(isColor(text)).toBe(false);
    if (isColor(text.trim())) return;
    const brand = { name: "Acme", colors: [text] };
    const without = { name: "Acme", colors: [] };
    expect(drawPicture(samplePicture({ brand }))).toBe(
      drawPicture(samplePicture({ brand: without })),
    );
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
  const svg = drawPicture(samplePicture({ prompt: `50% "off" & more #1 夏 😀` }));
  const url = dataUrlOf(svg);
  expect(url).toMatch(/^data:image\/svg\+xml,[\w!'()*,./=~%-]+$/);
  expect(decodeURIComponent(url.slice(url.indexOf(",") + 1))).toBe(svg);
});
