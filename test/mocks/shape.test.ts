import { describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";

const resultOf = async (body: object) => {
  const service = createMockService();
  const ask = createAsk(service);
  const { job_id } = (await ask("POST", "/v1/jobs", body)).data;
  service.jobs.complete(job_id);
  const { result } = (await ask("GET", `/v1/jobs/${job_id}`)).data;
  return { result, svg: service.artwork(job_id, 1) };
};

const sizeOf = async (body: object) => {
  const { result, svg = "" } = await resultOf({ action: "edit-ad", ...body });
  const { width, height } = result.images[0];
  expect(svg).toContain(` width='${width}' height='${height}' `);
  return `${width}×${height}`;
};

describe("the shape of a picture", () => {
  test.each([
    ["resize to 9:16", "1080×1920"],
    ["Make it 16:9.", "1920×1080"],
    ["four variants (4:5), blue", "1080×1350"],
    ["a banner of 1.91:1", "2063×1080"],
    ["exactly 1200x628 please", "1200×628"],
    ["1080 × 1920", "1080×1920"],
    ["sale from 10:30 to 19:16:09", "1080×1080"],
    ["sale at 9:30, in 4:5", "1080×1350"],
    ["8000x20 is too much", "1080×1080"],
    ["no shape", "1080×1080"],
  ])("is what the prompt %j asks for", async (prompt, size) => {
    expect(await sizeOf({ prompt })).toBe(size);
  });

  test.each([
    [{ aspect_ratio: "9:16" }, "1080×1920"],
    [{ size: "1200x628" }, "1200×628"],
    [{ size: "3:2" }, "1620×1080"],
    [{ aspect_ratio: "4:5", size: "1:1", prompt: "16:9" }, "1080×1350"],
    [{ aspect_ratio: "huge", prompt: "16:9" }, "1920×1080"],
    [{ aspect_ratio: 7, size: { width: 3 } }, "1080×1080"],
  ])("is what the fields %j ask for, before the prompt", async (fields, size) => {
    expect(await sizeOf(fields)).toBe(size);
  });

  test("is that of a video, too", async () => {
    const { svg } = await resultOf({ action: "video-a-2", prompt: "for stories, 9:16" });
    expect(svg).toContain(" width='720' height='1280' ");
  });
});
