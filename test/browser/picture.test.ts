import { expect, test } from "vitest";
import { dataUrlOf } from "../../mocks/seeded/svg.ts";
import { creditOfAction } from "../../src/contract/actions.ts";
import { type SampleChanges, sampleSvg } from "../helpers/sample-picture.ts";
import { completeJob } from "./complete-job.ts";

const video: SampleChanges = { action: "video-a-2", width: 1280, height: 720, duration: 8 };

const harmless = new Set("svg title rect path text animateMotion".split(" "));

/** Parses a picture as XML, and checks that nothing in it runs or loads. */
const parse = (svg: string): Document => {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  expect(parsed.querySelector("parsererror")?.textContent).toBeUndefined();
  expect(parsed.documentElement.outerHTML).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/,
  );
  for (const element of parsed.querySelectorAll("*")) {
    expect(harmless).toContain(element.tagName);
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^on|href|style|src/i);
      expect(value).not.toMatch(/NaN|undefined|Infinity|url\(/);
    }
  }
  return parsed;
};

/** With a button, without one, and moving: all that an action decides besides words. */
const kinds = ["generate-ad", "image-a-2", "video-a-2"] as const;

test.each(kinds)("a picture of %s is sound in every layout, motif and shape", (action) => {
  const moves = creditOfAction[action] === "video";
  for (let variation = 1; variation <= 48; variation += 1) {
    for (const [width, height] of [
      [1080, 1080],
      [1280, 720],
      [1080, 1920],
    ] as const) {
      const more = moves ? { duration: variation / 3 } : {};
      parse(sampleSvg({ action, variation, width, height, ...more }));
    }
  }
});

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

test.each(hostile.map((prompt) => [JSON.stringify(prompt.slice(0, 40)), prompt] as const))(
  "a picture draws the prompt and the brand %s as plain text",
  (_, prompt) => {
    const brand = { name: prompt, colors: [prompt, "red'/><script>"] };
    for (let variation = 1; variation <= 8; variation += 1) {
      const still = sampleSvg({ prompt, variation, brand });
      parse(still);
      parse(sampleSvg({ ...video, prompt, variation, brand }));
      expect(dataUrlOf(still).length).toBeLessThan(9_000);
    }
  },
);

test("a picture shows markup in a prompt as it was written", () => {
  const prompt = `<b>50%</b> & "more" 'now'`;
  const texts = [...parse(sampleSvg({ prompt })).querySelectorAll("text")];
  expect(texts.map(({ textContent }) => textContent).join(" ")).toContain(prompt);
});

const drawOnCanvas = async (source: string): Promise<string> => {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return canvas.toDataURL();
};

test("a picture can be drawn on a canvas and read back", async () => {
  const body = { action: "generate-ad", prompt: "夏 sale" };
  const { id, service } = await completeJob(body, { artwork: "served" });
  const svg = service.artwork(id, 1) ?? "";
  // A blob's URL is judged like a served one: there a `<foreignObject>` taints the canvas.
  const served = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  for (const source of [served, dataUrlOf(svg)]) {
    expect((await drawOnCanvas(source)).length).toBeGreaterThan(5_000);
  }
});
