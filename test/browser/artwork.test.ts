// Pictures and videos, as a browser reads, draws and plays them.
import { expect, onTestFinished, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { type Drawing, rectangle } from "../../mocks/seeded/drawing.ts";
import { writePng } from "../../mocks/seeded/png.ts";
import { dataUrlOf } from "../../mocks/seeded/svg.ts";
import { type SampleChanges, sampleSvg } from "../helpers/sample-picture.ts";
import { createAsk } from "../mocks/ask.ts";

const harmless = new Set(["svg", "title", "rect", "text"]);

/** Parses a picture as XML, checks that nothing in it runs or loads, and gives its texts. */
const parse = (svg: string): string[] => {
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
  return [...parsed.querySelectorAll("text")].map(({ textContent }) => textContent);
};

/** Without and with the sign of a video: all that an action decides besides words. */
const kinds = ["generate-ad", "video-a-2"] as const;

test.each(kinds)("a picture of %s is sound in every shape", (action) => {
  for (let variation = 1; variation <= 48; variation += 1) {
    for (const [width, height] of [
      [1080, 1080],
      [1280, 720],
      [1080, 1920],
    ] as const) {
      const more = action === "video-a-2" ? { duration: variation / 3 } : {};
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

test("a picture draws any prompt and any brand as plain text", () => {
  const video: SampleChanges = { action: "video-a-2", width: 1280, height: 720, duration: 8 };
  for (const prompt of hostile) {
    const brand = { name: prompt, colors: [prompt, "red'/><script>"] };
    for (let variation = 1; variation <= 8; variation += 1) {
      const still = sampleSvg({ prompt, variation, brand });
      parse(still);
      parse(sampleSvg({ ...video, prompt, variation, brand }));
      expect(dataUrlOf(still).length).toBeLessThan(9_000);
    }
  }
  const prompt = `<b>50%</b> & "more" 'now'`;
  expect(parse(sampleSvg({ prompt })).join(" ")).toContain(prompt);
});

/** Submits a job to a service of its own, and completes it. */
const completeJob = async (body: object) => {
  const service = createMockService();
  const ask = createAsk(service);
  const { job_id: id } = (await ask("POST", "/v1/jobs", body)).data;
  service.jobs.complete(id);
  return { id, service, result: (await ask("GET", `/v1/jobs/${id}`)).data.result };
};

const pixelsOf = (
  image: CanvasImageSource,
  [width, height]: readonly [number, number],
): Uint8ClampedArray => {
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context?.drawImage(image, 0, 0, width, height);
  return context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
};

test.each(kinds)(
  "the PNG of %s shows the picture that the SVG shows, and both can be read back from a canvas",
  async (action) => {
    const request = { action, prompt: "夏 sale", duration: 8, variations: 6 };
    const { id, service } = await completeJob(request);
    for (let variation = 1; variation <= 6; variation += 1) {
      const svg = service.artwork(id, variation) ?? "";
      const png = service.artwork(id, variation, { format: "png" }) ?? new Uint8Array();
      const bitmap = await createImageBitmap(new Blob([png]));
      // A blob's URL is judged like a served one: there a `<foreignObject>` taints the canvas.
      const served = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
      for (const source of [served, dataUrlOf(svg)]) {
        const drawn = new Image();
        drawn.src = source;
        await drawn.decode();
        expect([bitmap.width, bitmap.height]).toEqual([drawn.naturalWidth, drawn.naturalHeight]);
        // 4 × 4 pixels as one.
        const size = [drawn.naturalWidth >> 2, drawn.naturalHeight >> 2] as const;
        const [ofSvg, ofPng] = [pixelsOf(drawn, size), pixelsOf(bitmap, size)];
        expect(new Set(ofPng).size).toBeGreaterThan(3);
        let alike = 0;
        for (let byte = 0; byte < ofSvg.length; byte += 4) {
          const far = [0, 1, 2].some(
            (part) => Math.abs((ofSvg[byte + part] ?? 0) - (ofPng[byte + part] ?? 0)) > 40,
          );
          if (!far) alike += 1;
        }
        // The rest is letters, with bars in their place.
        expect(alike / (size[0] * size[1])).toBeGreaterThan(0.88);
      }
    }
  },
);

/** Paints things, and gives the blue at a place. */
const paint = async (...things: Drawing["things"]) => {
  const ground = rectangle({ x: 0, y: 0, width: 200, height: 100 }, "#000001");
  const drawing = { width: 200, height: 100, title: "", things: [ground, ...things] };
  const bytes = pixelsOf(await createImageBitmap(new Blob([writePng(drawing)])), [200, 100]);
  return (x: number, y: number) => bytes[4 * (200 * y + x) + 2];
};

test("a PNG has rectangles and ellipses, the later ones on top", async () => {
  const box = { x: 20, y: 20, width: 40, height: 40 };
  const blueAt = await paint(
    rectangle(box, "#000002"),
    rectangle(box, "#000003", 999),
    rectangle({ x: 190, y: -50, width: 100, height: 60 }, "#000005"),
  );
  expect([blueAt(19, 40), blueAt(60, 40), blueAt(0, 0)]).toEqual([1, 1, 1]);
  expect([blueAt(20, 20), blueAt(59, 59), blueAt(22, 22)]).toEqual([2, 2, 2]);
  expect([blueAt(40, 20), blueAt(20, 40), blueAt(40, 59), blueAt(30, 30)]).toEqual([3, 3, 3, 3]);
  expect([blueAt(199, 0), blueAt(190, 9), blueAt(189, 0)]).toEqual([5, 5, 1]);
});

test("a PNG has bars in place of text, in the middle of its room", async () => {
  const columnsOf = async (text: string): Promise<number[]> => {
    const blueAt = await paint({ x: 20, y: 50, width: 120, size: 20, color: "#000009", text });
    return Array.from({ length: 200 }, (_, x) => x).filter((x) => blueAt(x, 42) === 9);
  };
  const [first = 0, ...others] = await columnsOf("Sale");
  expect(first).toBeGreaterThan(40);
  expect(first + (others.at(-1) ?? 0)).toBeCloseTo(2 * 80 - 1, -1);
  expect(await columnsOf("Sale ".repeat(40))).toHaveLength(120);
});

const happens = (video: HTMLVideoElement, event: string): Promise<void> =>
  new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener("error", () => reject(new Error(video.error?.message)), { once: true });
  });

test.each([0.2, 2.5, 60])("a video of %d seconds moves, and plays to its end", async (duration) => {
  const size = [384, 216] as const;
  const request = { action: "video-a-2", prompt: "Sale", duration };
  const [{ url }] = (await completeJob(request)).result.videos;
  expect(url.slice(0, 22)).toBe("data:video/mp4;base64,");
  const video = document.createElement("video");
  document.body.append(video);
  onTestFinished(() => video.remove());
  video.muted = true;
  video.preload = "auto";
  /** Waits for the next frame, too: it can be drawn on a canvas later than the events say. */
  const isShown = (event: string): Promise<unknown> =>
    Promise.all([
      happens(video, event),
      new Promise((shown) => {
        video.requestVideoFrameCallback(shown);
      }),
    ]);
  const ready = isShown("canplaythrough");
  video.src = url;
  await ready;
  expect([video.videoWidth, video.videoHeight]).toEqual(size);
  expect(Math.abs(video.duration - duration)).toBeLessThan(0.2);

  const pixelsAt = async (time: number): Promise<Uint8ClampedArray> => {
    const seeked = isShown("seeked");
    video.currentTime = time;
    await seeked;
    return pixelsOf(video, size);
  };
  const [middle, end] = [await pixelsAt(duration / 2), await pixelsAt(duration * 0.9975)];
  expect(new Set(middle).size).toBeGreaterThan(20);
  const changed = middle.filter((part, index) => Math.abs(part - (end[index] ?? 0)) > 40).length;
  // The sun, and the half of the bar below it.
  expect(changed / middle.length).toBeGreaterThan(0.02);
  expect(changed / middle.length).toBeLessThan(0.3);

  video.currentTime = Math.max(0, duration - 8);
  video.playbackRate = 16;
  const ended = happens(video, "ended");
  await video.play();
  await ended;
  expect(Math.abs(video.currentTime - duration)).toBeLessThan(0.2);
});
