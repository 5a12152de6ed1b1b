import { expect, onTestFinished, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { makeArtwork } from "../../mocks/seeded/artwork.ts";
import { paintSvg } from "../../mocks/seeded/bitmap/paint-svg.ts";
import type { MadeFrom } from "../../mocks/seeded/made-from.ts";
import { drawPicture } from "../../mocks/seeded/picture.ts";

const happens = (video: HTMLVideoElement, event: string): Promise<void> =>
  new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener("error", () => reject(new Error(video.error?.message)), { once: true });
  });

/** Waits until the next frame can be drawn on a canvas, which is later than the events say. */
const isShown = (video: HTMLVideoElement): Promise<unknown> =>
  new Promise((resolve) => {
    video.requestVideoFrameCallback(resolve);
  });

const load = async (src: string): Promise<HTMLVideoElement> => {
  const video = document.createElement("video");
  document.body.append(video);
  onTestFinished(() => video.remove());
  video.muted = true;
  video.preload = "auto";
  const ready = Promise.all([happens(video, "canplaythrough"), isShown(video)]);
  video.src = src;
  await ready;
  return video;
};

const urlOf = async (body: object): Promise<string> => {
  const service = createMockService();
  const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
  const send = async (path: string, init: RequestInit) =>
    (await (await service.fetch(`https://ads.test${path}`, { ...init, headers })).json()).data;
  const { job_id } = await send("/v1/jobs", { method: "POST", body: JSON.stringify(body) });
  service.jobs.complete(job_id);
  const job = await send(`/v1/jobs/${job_id}`, {});
  return job.result.videos[0].url;
};

test.each([
  [1, {}, [1280, 720]],
  [8, {}, [1280, 720]],
  [60, { aspect_ratio: "9:16" }, [720, 1280]],
  [2.5, { aspect_ratio: "4:5" }, [720, 900]],
  [5, { size: "1001x603" }, [1002, 604]],
] as const)(
  "a video of %d seconds with %j plays to its end",
  async (duration, more, size) => {
    const url = await urlOf({ action: "video-a-2", prompt: "Sale", duration, ...more });
    expect(url.slice(0, 22)).toBe("data:video/mp4;base64,");
    const video = await load(url);
    expect([video.videoWidth, video.videoHeight]).toEqual(size);
    expect(Math.abs(video.duration - duration)).toBeLessThan(0.2);
    video.playbackRate = 16;
    if (duration > 8) video.currentTime = duration - 2;
    const ended = happens(video, "ended");
    await video.play();
    await ended;
    expect(Math.abs(video.currentTime - duration)).toBeLessThan(0.2);
  },
  30_000,
);

const pixelsOf = (video: HTMLVideoElement, columns: number, rows: number): Uint8ClampedArray => {
  const canvas = new OffscreenCanvas(columns * 4, rows * 4);
  const context = canvas.getContext("2d");
  context?.drawImage(video, 0, 0);
  return context?.getImageData(0, 0, columns * 4, rows * 4).data ?? new Uint8ClampedArray();
};

const job = (changes: Partial<MadeFrom>): MadeFrom => ({
  id: "job_1",
  action: "video-b-3-0",
  prompt: "Fresh coffee for slow mornings",
  variations: 12,
  duration: 4,
  ...changes,
});

test("the decoder sees each cell of the picture, in every layout", async () => {
  for (let variation = 1; variation <= 6; variation += 1) {
    const prompt =
      ["Fresh coffee for slow mornings", "夏のレモネード %&/()=?", ""][variation % 3] ?? "";
    const brand = { name: "Acme", colors: variation % 2 ? ["#0a7", "crimson", "yellow"] : [] };
    const mp4 = makeArtwork(job({ prompt, brand }), variation, "mp4") ?? new Uint8Array();
    const video = await load(URL.createObjectURL(new Blob([mp4], { type: "video/mp4" })));
    const raster = paintSvg(
      drawPicture({
        ...job({ prompt, brand }),
        ...{ seed: "job_1", variation, duration: 4, width: 1280, height: 720, format: "mp4" },
      }),
      4,
    );
    const { columns, rows, cells, colors } = raster;
    const pixels = pixelsOf(video, columns, rows);
    let [worst, sum] = [0, 0];
    for (const [cell, index] of cells.entries()) {
      // A pixel inside of the cell, because browsers smooth the colour between two of them.
      const [x, y] = [(cell % columns) * 4 + 1, Math.floor(cell / columns) * 4 + 1];
      const at = 4 * (y * columns * 4 + x);
      const seen = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
      const luma = ([red = 0, green = 0, blue = 0]: readonly number[]): number =>
        0.3 * red + 0.59 * green + 0.11 * blue;
      const difference = Math.abs(luma(seen) - luma(colors[index] ?? []));
      worst = Math.max(worst, difference);
      sum += difference;
    }
    expect(sum / cells.length).toBeLessThan(3);
    expect(worst).toBeLessThan(60);
  }
}, 30_000);

test("the bar below a video runs along", async () => {
  const mp4 = makeArtwork(job({}), 1, "mp4") ?? new Uint8Array();
  const video = await load(URL.createObjectURL(new Blob([mp4], { type: "video/mp4" })));
  const shareAt = async (time: number): Promise<number> => {
    const seeked = Promise.all([happens(video, "seeked"), isShown(video)]);
    video.currentTime = time;
    await seeked;
    const pixels = pixelsOf(video, 320, 180);
    let white = 0;
    for (let x = 0; x < 1280; x += 1) if ((pixels[4 * (718 * 1280 + x)] ?? 0) > 230) white += 1;
    return white / 1280;
  };
  expect(await shareAt(3.99)).toBeGreaterThan(0.97);
  expect(await shareAt(2)).toBeCloseTo(0.5, 1);
  expect(await shareAt(0)).toBeLessThan(0.1);
}, 30_000);
