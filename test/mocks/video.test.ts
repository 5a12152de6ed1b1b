import { describe, expect, test } from "vitest";
import { makeArtwork } from "../../mocks/seeded/artwork.ts";
import type { MadeFrom } from "../../mocks/seeded/made-from.ts";

const job = (changes: Partial<MadeFrom> = {}): MadeFrom => ({
  id: "job_1",
  action: "video-a-2",
  prompt: "Summer sale",
  variations: 3,
  duration: 5,
  ...changes,
});

const makeVideo = (changes: Partial<MadeFrom> = {}, variation = 1): Buffer =>
  Buffer.from(makeArtwork(job(changes), variation, "mp4") ?? []);

/** Boxes of an MP4 file by their paths, such as "moov/trak". */
const boxesOf = (bytes: Buffer, above = "", boxes = new Map<string, Buffer>()) => {
  const parents = ["moov", "trak", "mdia", "minf", "stbl", "dinf"];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    expect([name, length > 7 && at + length <= bytes.length]).toEqual([name, true]);
    const content = bytes.subarray(at + 8, at + length);
    boxes.set(above + name, content);
    if (parents.includes(name)) boxesOf(content, `${above}${name}/`, boxes);
    at += length;
  }
  return boxes;
};

const table = "moov/trak/mdia/minf/stbl/";

const numbersOf = (content: Buffer = Buffer.alloc(0)): number[] =>
  Array.from({ length: Math.floor(content.length / 4) }, (_, index) =>
    content.readUInt32BE(4 * index),
  );

describe("a video", () => {
  test.each([0.001, 0.2, 1, 5, 7.3, 60])("of %d seconds says that it is as long", (duration) => {
    const boxes = boxesOf(makeVideo({ duration }));
    const [, , , timescale = 0, length = 0] = numbersOf(boxes.get("moov/mvhd"));
    expect(length / timescale).toBeCloseTo(duration, 2);
    const [, , frames = 0, each = 0] = numbersOf(boxes.get(`${table}stts`));
    expect(frames * each).toBe(length);
    expect(frames).toBe(Math.min(Math.max(Math.round(duration * 8), 2), 40));
  });

  test("begins with its description, and says where each frame is", () => {
    const file = makeVideo();
    const boxes = boxesOf(file);
    expect([...boxes.keys()].filter((path) => !path.includes("/"))).toEqual([
      "ftyp",
      "moov",
      "mdat",
    ]);
    const [, , start = 0] = numbersOf(boxes.get(`${table}stco`));
    const [, , frames, ...sizes] = numbersOf(boxes.get(`${table}stsz`));
    expect(sizes).toHaveLength(frames ?? 0);
    let at = start;
    for (const [index, size] of sizes.entries()) {
      expect(file.readUInt32BE(at)).toBe(size - 4);
      expect(file[at + 4]).toBe(index === 0 ? 0x65 : 0x61);
      at += size;
    }
    expect(at).toBe(file.length);
  });

  test.each([
    ["1280x720", 31],
    ["1680x720", 40],
    ["2048x2048", 51],
  ])("of %s pixels names the level that its size needs", (size, level) => {
    const description = boxesOf(makeVideo({ request: { size } })).get(`${table}stsd`);
    const start = description?.indexOf("avcC") ?? 0;
    expect([...(description?.subarray(start + 4, start + 8) ?? [])]).toEqual([1, 66, 0xc0, level]);
  });

  test("holds no bytes that a decoder takes for the start of a unit", () => {
    for (let variation = 1; variation <= 4; variation += 1) {
      const prompt = `%&/()=?ABC ${variation}`;
      const request = { size: "1000x602" };
      const changes = { id: `j${variation}`, prompt, request, variations: 9 };
      const units = boxesOf(makeVideo(changes, variation)).get("mdat") ?? Buffer.alloc(0);
      for (let at = 0; at < units.length; ) {
        const unit = units.subarray(at + 4, at + 4 + units.readUInt32BE(at));
        for (let byte = 2; byte < unit.length; byte += 1) {
          const isStart = unit[byte - 2] === 0 && unit[byte - 1] === 0 && (unit[byte] ?? 9) < 3;
          expect(isStart).toBe(false);
        }
        at += unit.length + 4;
      }
    }
  });

  test("is the same for the same job, another for another, and under 16 kB", () => {
    expect(makeVideo()).toEqual(makeVideo());
    expect(makeVideo()).not.toEqual(makeVideo({ id: "job_2" }));
    expect(makeVideo()).not.toEqual(makeVideo({}, 2));
    for (let variation = 1; variation <= 3; variation += 1) {
      const brand = { name: "Acme & Daughters", colors: ["navy", "gold"] };
      const prompt = "Fresh coffee for slow mornings, late evenings and everything between";
      expect(makeVideo({ brand, prompt }, variation).length).toBeLessThan(16_000);
    }
  });

  test("is no picture's, and a text has neither", () => {
    expect(makeArtwork(job({ action: "generate-ad" }), 1, "mp4")).toBeUndefined();
    for (const format of ["svg", "png", "mp4"] as const) {
      expect(makeArtwork(job({ action: "generate-ad-copy" }), 1, format)).toBeUndefined();
      expect(makeArtwork(job(), 4, format)).toBeUndefined();
      expect(makeArtwork(job(), 0, format)).toBeUndefined();
    }
  });
});
