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

/** Numbers of 32 bits in a box of an MP4 file. A browser reads, and plays, all of its boxes. */
const numbersIn = (file: Buffer, box: string): number[] => {
  const start = file.indexOf(box);
  const count = (file.readUInt32BE(start - 4) - 8) >> 2;
  return Array.from({ length: count }, (_, index) => file.readUInt32BE(start + 4 + 4 * index));
};

const durations = [0.001, 0.2, 1, 5, 7.3, 60, 3_600];
test.each(durations)("a video of %d s says so before its frames, in 3 kB", (duration) => {
  for (const aspect_ratio of ["16:9", "9:16", "1:1"]) {
    const file = makeVideo({ duration, request: { aspect_ratio } });
    for (const box of ["mvhd", "mdhd"]) {
      const [, , , timescale = 0, length = 0] = numbersIn(file, box);
      expect([box, length / timescale]).toEqual([box, duration]);
      const [, , frames = 0, each = 0] = numbersIn(file, "stts");
      expect(frames * each).toBe(length);
      expect(numbersIn(file, "tkhd")[5]).toBe(length);
    }
    expect(file.indexOf("edts")).toBe(-1);
    expect(file.indexOf("moov")).toBeLessThan(file.indexOf("mdat"));
    expect(file.length).toBeLessThan(3_000);
  }
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
    const shown = numbersIn(makeVideo({ request }), "tkhd").slice(-2);
    expect(shown.map((fixed) => fixed / 65_536)).toEqual(size);
  });

  test("is the same for the same job, and another for another", () => {
    expect(makeVideo()).toEqual(makeVideo());
    expect(makeVideo()).not.toEqual(makeVideo({ id: "job_2" }));
    expect(makeVideo()).not.toEqual(makeVideo({}, 2));
  });
});
