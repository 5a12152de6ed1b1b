// Pictures and videos of the mock's server, in a page of another origin, in Chromium.
import { describe, expect, test } from "vitest";
import { startMockServer } from "../../mocks/server/index.ts";
import { listen } from "../helpers/http-server.ts";
import { createAsk, globalFetch } from "../mocks/ask.ts";
import { useBrowser, withoutBrowser } from "./open-page.ts";

describe.skipIf(withoutBrowser)("a page of another origin", () => {
  const { launched, cleanups } = useBrowser();

  test("shows a picture, draws it on a canvas, and plays a video from its middle", async () => {
    const server = await startMockServer({ timeline: { queuedMs: 0, processingMs: 0 } });
    const ask = createAsk(globalFetch, "test-key", server.url);
    const make = async (body: object): Promise<string> => {
      const { job_id } = (await ask("POST", "/v1/jobs", body)).data;
      const { result } = (await ask("GET", `/v1/jobs/${job_id}`)).data;
      return Object.values<{ url: string }[]>(result).flat()[0]?.url ?? "";
    };
    const picture = await make({ action: "generate-ad", prompt: `<b>"Summer"</b> & 'sun'` });
    const video = await make({ action: "video-a-2", duration: 4 });
    expect(picture).toMatch(new RegExp(`^${server.url}/__mock/artwork/job_\\w+/1\\.svg$`));
    const site = await listen((response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<img crossorigin src="${picture}"><video muted src="${video}"></video>`);
    });
    const context = await launched().newContext();
    cleanups.push(
      () => context.close(),
      () => server.close(),
    );
    const page = await context.newPage();
    await page.goto(site.url);
    const seen = await page.evaluate(async () => {
      const image = document.images[0] as HTMLImageElement;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: 9, height: 9 });
      const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
      pen.drawImage(image, 0, 0, 9, 9);
      const player = document.querySelector("video") as HTMLVideoElement;
      const until = (event: string) =>
        new Promise((resolve) => player.addEventListener(event, resolve, { once: true }));
      if (player.readyState < 2) await until("loadeddata");
      player.currentTime = player.duration / 2;
      await until("seeked");
      const { videoWidth, duration, currentTime } = player;
      const alpha = pen.getImageData(4, 4, 1, 1).data[3];
      return {
        width: image.naturalWidth,
        alpha,
        videoWidth,
        isInMiddle: currentTime * 2 === duration,
      };
    });
    expect(seen).toEqual({ width: 1080, alpha: 255, videoWidth: 384, isInMiddle: true });
    expect(server.service.journal.entries).toHaveLength(4);
  });
});
