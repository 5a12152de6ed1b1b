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

// A browser reads its length and its size, and plays it: see test/browser/artwork.test.ts.
describe("a video", () => {
  test.each([0.001, 7.3, 3_600])("of %d s can play while it loads, and has 3 kB", (duration) => {
    const file = makeVideo({ duration });
    expect(file.indexOf("moov")).toBeGreaterThan(0);
    expect(file.indexOf("moov")).toBeLessThan(file.indexOf("mdat"));
    expect(file.length).toBeLessThan(3_000);
  });

  test("is the same for the same job, and another for another", () => {
    expect(makeVideo()).toEqual(makeVideo());
    expect(makeVideo()).not.toEqual(makeVideo({ id: "job_2" }));
    expect(makeVideo()).not.toEqual(makeVideo({}, 2));
  });
});
