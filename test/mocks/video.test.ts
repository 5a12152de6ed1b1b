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

/** Reads a video: the names of its boxes, and the numbers of 32 bits in one of them. */
const readVideo = (file: Buffer) => {
  const boxes = boxesOf(file);
  const numbersIn = (path: string): number[] => {
    const content = boxes.get(path) ?? Buffer.alloc(0);
    const count = Math.floor(content.length / 4);
    return Array.from({ length: count }, (_, index) => content.readUInt32BE(4 * index));
  };
  return { paths: [...boxes.keys()], dataLength: boxes.get("mdat")?.length, numbersIn };
};

const table = "moov/trak/mdia/minf/stbl";

describe.each(["16:9", "9:16", "1:1"])("a video of %s", (aspect_ratio) => {
  const request = { aspect_ratio };

  test.each([0.001, 0.2, 1, 5, 7.3, 60, 3_600])(
    "of %d seconds says that it is as long",
    (duration) => {
      const { paths, numbersIn } = readVideo(makeVideo({ duration, request }));
      for (const box of ["moov/mvhd", "moov/trak/mdia/mdhd"]) {
        const [, , , timescale = 0, length = 0] = numbersIn(box);
        expect([box, length / timescale]).toEqual([box, duration]);
        const [, , frames = 0, each = 0] = numbersIn(`${table}/stts`);
        expect(frames * each).toBe(length);
        expect(numbersIn("moov/trak/tkhd")[5]).toBe(length);
      }
      expect(paths.filter((path) => path.includes("edts"))).toEqual([]);
    },
  );

  test("begins with its description, says where its frames are, and is under 3 kB", () => {
    const file = makeVideo({ request });
    expect(file.length).toBeLessThan(3_000);
    const { paths, dataLength, numbersIn } = readVideo(file);
    const outer = paths.filter((path) => !path.includes("/"));
    expect(outer).toEqual(["ftyp", "moov", "mdat", "free"]);
    const [, , start = 0] = numbersIn(`${table}/stco`);
    const [, , frames, ...sizes] = numbersIn(`${table}/stsz`);
    expect(sizes).toHaveLength(frames ?? 0);
    let at = start;
    for (const [index, size] of sizes.entries()) {
      expect(file.readUInt32BE(at)).toBe(size - 4);
      // Units of type 5, a picture of its own, and 1.
      expect((file[at + 4] ?? 0) & 31).toBe(index === 0 ? 5 : 1);
      at += size;
    }
    expect(dataLength).toBe(at - start);
  });
});

describe("a video", () => {
  test.each([
    [{}, [384, 216]],
    [{ aspect_ratio: "21:9" }, [384, 216]],
    [{ aspect_ratio: "3:2" }, [384, 216]],
    [{ aspect_ratio: "4:3" }, [288, 288]],
    [{ aspect_ratio: "4:5" }, [288, 288]],
    [{ size: "1001x603" }, [384, 216]],
    [{ aspect_ratio: "2:3" }, [216, 384]],
    [{ aspect_ratio: "9:16" }, [216, 384]],
  ])("has the recorded shape that is nearest to %j", (request, size) => {
    // Pixels in fixed point, of 16 bits on each side.
    const shown = readVideo(makeVideo({ request })).numbersIn("moov/trak/tkhd").slice(-2);
    expect(shown.map((fixed) => fixed / 65_536)).toEqual(size);
  });

  test("is the same for the same job, and another for another; pictures and texts have none", () => {
    expect(makeVideo()).toEqual(makeVideo());
    expect(makeVideo()).not.toEqual(makeVideo({ id: "job_2" }));
    expect(makeVideo()).not.toEqual(makeVideo({}, 2));
    expect(makeArtwork(job({ action: "generate-ad" }), 1, "mp4")).toBeUndefined();
    for (const format of ["svg", "png", "mp4"] as const) {
      expect(makeArtwork(job({ action: "generate-ad-copy" }), 1, format)).toBeUndefined();
      expect(makeArtwork(job(), 4, format)).toBeUndefined();
      expect(makeArtwork(job(), 0, format)).toBeUndefined();
    }
  });
});
