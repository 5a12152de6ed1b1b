import { expect, onTestFinished, test } from "vitest";
import { completeJob } from "./complete-job.ts";

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

const urlOf = async (body: object): Promise<string> =>
  (await completeJob(body)).result.videos[0].url;

test.each([
  [1, {}, [384, 216]],
  [8, {}, [384, 216]],
  [60, { aspect_ratio: "9:16" }, [216, 384]],
  [2.5, { aspect_ratio: "4:5" }, [288, 288]],
  [5, { size: "1001x603" }, [384, 216]],
] as const)("a video of %d seconds with %j plays to its end", async (duration, more, size) => {
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
});

test.each(["16:9", "9:16", "1:1"])(
  "a video of %s moves, from a picture in colours",
  async (aspect_ratio) => {
    const video = await load(await urlOf({ action: "video-b-3-0", duration: 4, aspect_ratio }));
    const { videoWidth: width, videoHeight: height } = video;
    const pixelsAt = async (time: number): Promise<Uint8ClampedArray> => {
      const seeked = Promise.all([happens(video, "seeked"), isShown(video)]);
      video.currentTime = time;
      await seeked;
      const context = new OffscreenCanvas(width, height).getContext("2d");
      context?.drawImage(video, 0, 0);
      return context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
    };
    const [middle, end] = [await pixelsAt(2), await pixelsAt(3.99)];
    expect(new Set(middle).size).toBeGreaterThan(20);
    const changed = middle.filter((part, index) => Math.abs(part - (end[index] ?? 0)) > 40).length;
    // The sun, and the half of the bar below it.
    expect(changed / middle.length).toBeGreaterThan(0.02);
    expect(changed / middle.length).toBeLessThan(0.3);
  },
);
