import { describe, expect, test } from "vitest";
import { dataUrlOf, drawPicture, type Picture } from "../../mocks/seeded/artwork.ts";
import { contrastOf, paletteOf, readColor } from "../../mocks/seeded/artwork-color.ts";
import { actions, creditOfAction } from "../../src/contract/actions.ts";

const picture = (changes: Partial<Picture> = {}): Picture => ({
  action: "generate-ad",
  prompt: "Summer sale",
  variation: 1,
  width: 1080,
  height: 1080,
  ...changes,
});

const video: Partial<Picture> = { action: "video-a-2", width: 1280, height: 720, duration: 8 };

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** What can be read in it, from top to bottom, as an XML parser gives it. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) =>
    text.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? "?"),
  );

/** A small XML parser: throws at the first thing that XML does not allow. Gives the tags. */
const parse = (svg: string): string[] => {
  const open: string[] = [];
  const seen: string[] = [];
  const token =
    /<(\/?)([a-zA-Z]+)((?: [a-zA-Z:-]+='[^'<&"]*')*)(\/?)>|[^<&>\p{Cc}\p{Cs}\uFFFE\uFFFF]+|&(?:amp|lt|gt|quot|apos);/uy;
  while (token.lastIndex < svg.length) {
    const at = token.lastIndex;
    const match = token.exec(svg);
    if (match === null) throw new Error(`Not XML: ${JSON.stringify(svg.slice(at, at + 60))}`);
    const [, closes, tag, attributes = "", selfCloses] = match;
    if (tag === undefined) continue;
    const names = [...attributes.matchAll(/ ([a-zA-Z:-]+)=/g)].map(([, name]) => name);
    if (new Set(names).size < names.length) throw new Error(`Attribute given twice: ${match[0]}`);
    if (closes === "/") {
      if (open.pop() !== tag) throw new Error(`</${tag}> closes another tag`);
    } else {
      seen.push(tag);
      if (selfCloses === "") open.push(tag);
    }
  }
  if (open.length > 0) throw new Error(`Not closed: ${open.join(" ")}`);
  return seen;
};

const harmless = new Set(
  "svg title rect circle ellipse path g text animate animateTransform".split(" "),
);

const check = (svg: string): void => {
  for (const tag of parse(svg)) expect(harmless).toContain(tag);
  expect(svg).toMatch(/^<svg xmlns='http:\/\/www\.w3\.org\/2000\/svg' role='img' /);
  const markup = svg.replace(/>[^<]*</g, "><");
  expect(markup).not.toMatch(/NaN|undefined|Infinity| (?:on\w+|href|style|src)=|url\(/);
};

const hostile = [
  `<script>alert("1")</script> & 'more'`,
  "]]> <![CDATA[ --> <!-- <?xml ?>",
  "&lt; &#0; &bogus; &amp",
  "' onload='alert(1)",
  "sale \ud83d",
  "\udc00 sale",
  "a\u0000b\u0007c\u001b[31m\u007f\u0085\ufffe\uffff\u{1fffe}",
  "\u202eelas\u2066",
  "\ud83d".repeat(90),
  "👨‍👩‍👧‍👦".repeat(60),
  `${"x".repeat(79)}😀`,
  "\u0301".repeat(500),
  " \n\t ",
  "",
  "sale ".repeat(100_000),
  "x".repeat(100_000),
];

describe("a picture", () => {
  test("says what it is, of what, which one and how large", () => {
    const svg = drawPicture(
      picture({ variation: 2, variations: 4, brand: { name: "Acme", colors: [] } }),
    );
    const texts = textsOf(svg);
    expect(texts).toContain("Acme");
    expect(texts).toContain("generate-ad · #2/4 · 1080×1080");
    expect(texts.join(" ")).toContain("Summer sale");
    expect(svg).toContain("<title>generate-ad #2: Summer sale</title>");
    expect(svg).toContain(" width='1080' height='1080' ");
  });

  test("is the same for the same job, to the last byte", () => {
    expect(drawPicture(picture({ seed: "a" }))).toBe(drawPicture(picture({ seed: "a" })));
  });

  test("shares neither colours nor motif with the variations next to it", () => {
    const parts = Array.from({ length: 10 }, (_, index) => {
      const svg = drawPicture(picture({ variation: index + 1, variations: 10 }));
      const [, base = "", motif = ""] = /fill='(#\w+)'\/><svg [^>]*>(.*?)<\/svg>/.exec(svg) ?? [];
      return { base, motif };
    });
    expect(new Set(parts.map(({ base }) => base)).size).toBe(10);
    expect(new Set(parts.map(({ motif }) => motif)).size).toBe(10);
  });

  test("looks different with another seed", () => {
    const seeds = Array.from({ length: 20 }, (_, index) => `job_${index}`);
    const drawn = new Set(seeds.map((seed) => drawPicture(picture({ seed }))));
    expect(drawn.size).toBeGreaterThan(18);
  });

  test.each(actions)("of %s is sound in every layout, motif and shape", (action) => {
    const moves = creditOfAction[action] === "video";
    for (let variation = 1; variation <= 84; variation += 1) {
      for (const [width, height] of [
        [1080, 1080],
        [1280, 720],
        [1080, 1920],
      ] as const) {
        const more = moves ? { duration: variation / 3 } : {};
        check(drawPicture(picture({ action, variation, width, height, ...more })));
      }
    }
  });

  test.each(hostile.map((prompt) => [JSON.stringify(prompt.slice(0, 40)), prompt] as const))(
    "draws the prompt and the brand %s as plain text",
    (_, prompt) => {
      const brand = { name: prompt, colors: [prompt, "red'/><script>"] };
      for (let variation = 1; variation <= 8; variation += 1) {
        const still = drawPicture(
          picture({ action: prompt.slice(0, 50), prompt, variation, brand }),
        );
        check(still);
        check(drawPicture(picture({ ...video, prompt, variation, brand })));
        expect(dataUrlOf(still).length).toBeLessThan(9_000);
      }
    },
  );

  test("is about two kilobytes as a data URL", () => {
    const sizes = Array.from({ length: 84 }, (_, index) => [
      dataUrlOf(drawPicture(picture({ variation: index + 1 }))).length,
      dataUrlOf(drawPicture(picture({ ...video, variation: index + 1 }))).length,
    ]).flat();
    expect(Math.max(...sizes)).toBeLessThan(3_000);
    expect(sizes.reduce((sum, size) => sum + size) / sizes.length).toBeLessThan(2_000);
  });

  test("keeps every word of a headline that fits, whole", () => {
    const prompt = "Fresh coffee for slow mornings and late evenings";
    for (let variation = 1; variation <= 12; variation += 1) {
      const texts = textsOf(drawPicture(picture({ prompt, variation })));
      expect(texts.join(" ")).toContain(prompt);
    }
  });

  test("ends a headline that is too long with an ellipsis", () => {
    const texts = textsOf(drawPicture(picture({ prompt: "very good shoes ".repeat(40) })));
    expect(texts.find((text) => text.endsWith("…"))).toMatch(/^(?:very|good|shoes)/);
    expect(texts.length).toBeLessThan(12);
  });

  test("breaks lines between Chinese characters, and never inside an emoji", () => {
    const family = "👨‍👩‍👧‍👦";
    const prompts = ["夏季大促销全场五折起今日特价仅此一天".repeat(2), family.repeat(12)];
    for (const prompt of prompts) {
      const texts = textsOf(drawPicture(picture({ prompt })));
      expect(texts.join("")).toContain(prompt);
    }
    for (const text of textsOf(drawPicture(picture({ prompt: family.repeat(12) })))) {
      if (text.includes("👨")) expect(text.replaceAll(family, "")).toBe("");
    }
  });

  test("sets Arabic and Hebrew from right to left", () => {
    expect(drawPicture(picture({ prompt: "تخفيضات الصيف" }))).toContain(" direction='rtl'");
    expect(drawPicture(picture({ prompt: "50% מבצע קיץ" }))).toContain(" direction='rtl'");
    expect(drawPicture(picture())).not.toContain("direction");
  });
});

describe("a moving picture", () => {
  test("loops in the time that it says it takes", () => {
    for (let variation = 1; variation <= 14; variation += 1) {
      const svg = drawPicture(picture({ ...video, variation }));
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
    const svg = drawPicture(picture({ ...video, duration }));
    check(svg);
    expect(svg).toContain(`dur='${timing}'`);
  });

  test("is the only one that moves", () => {
    expect(drawPicture(picture())).not.toContain("animate");
  });
});

describe("a brand's colours", () => {
  const colors = ["#0a7", "rgb(255, 204, 0)", "navy"];

  test("are what its pictures are painted with", () => {
    for (let variation = 1; variation <= 6; variation += 1) {
      const svg = drawPicture(picture({ variation, brand: { name: "Velo", colors } }));
      const used = ["#00aa77", "#ffcc00", "#000080"].filter((color) => svg.includes(color));
      expect(used.length).toBeGreaterThanOrEqual(2);
    }
  });

  test.each([
    ["#fff", "#ffffff"],
    ["#FA8072", "#fa8072"],
    ["#fa807280", "#fa8072"],
    ["#abc8", "#aabbcc"],
    [" Tomato ", "#ff6347"],
    ["rgb(1, 2, 3)", "#010203"],
    ["rgb(100% 0% 50%)", "#ff0080"],
    ["rgba(300, 0, 0, 0.5)", "#ff0000"],
    ["hsl(120, 100%, 25%)", "#008000"],
    ["hsl(200deg 80% 90% / 0.2)", "#d1ecfa"],
  ])("are read: %s is %s", (text, hex) => {
    expect(readColor(text)).toBe(hex);
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
    expect(drawPicture(picture({ brand }))).toBe(drawPicture(picture({ brand: without })));
  });

  test("leave the text readable, whatever they are", () => {
    const levels = ["00", "33", "55", "77", "80", "99", "bb", "ff"];
    for (const red of levels) {
      for (const green of levels) {
        for (const blue of levels) {
          for (let turn = 0; turn < 3; turn += 1) {
            const { base, ink } = paletteOf([`#${red}${green}${blue}`], turn);
            const contrast = contrastOf(base, ink === "#fff" ? "#ffffff" : "#000000");
            expect(contrast).toBeGreaterThanOrEqual(4.5);
          }
        }
      }
    }
  });

  test("are told from each other in a scene, black and white too", () => {
    for (const given of [["white"], ["black"], ["#fff", "#000"], ["gray", "gray"], []]) {
      for (let turn = 0; turn < 12; turn += 1) {
        const { base, scene } = paletteOf(given, turn);
        expect(new Set([base, ...scene]).size).toBe(4);
      }
    }
  });
});

test("a data URL holds the picture, and nothing that JSON or HTML would have to escape", () => {
  const svg = drawPicture(picture({ prompt: `50% "off" & more #1 夏 😀` }));
  const url = dataUrlOf(svg);
  expect(url).toMatch(/^data:image\/svg\+xml,[\w!'()*,./=~%-]+$/);
  expect(decodeURIComponent(url.slice(url.indexOf(",") + 1))).toBe(svg);
});
