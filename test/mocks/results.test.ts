import { describe, expect, expectTypeOf, test } from "vitest";
import type { MockServiceOptions } from "../../mocks/index.ts";
import { actions, creditOfAction } from "../../src/contract/actions.ts";
import { atOnce, setUp } from "./set-up.ts";

/** Submits a job that completes at once, and looks at its result. */
const make = async (body: object, options: MockServiceOptions = {}) => {
  const made = setUp({ timeline: atOnce, ...options });
  const id = await made.submit(body);
  const { result } = (await made.poll(id)).data;
  return { ...made, id, result, artwork: made.service.artwork };
};

const svgOf = ({ url }: { url: string }): string => {
  expect(url).toMatch(/^data:image\/svg\+xml,/);
  return decodeURIComponent(url.slice("data:image/svg+xml,".length));
};

describe("a job's pictures", () => {
  test("are one for each variation, each of its own, in the answer itself", async () => {
    const body = { prompt: "Sale", variations: 3 };
    const { result, id, artwork } = await make(body);
    const svgs: string[] = result.images.map(svgOf);
    expect(svgs).toEqual([1, 2, 3].map((variation) => artwork(id, variation)));
    expect(new Set(svgs).size).toBe(3);
    for (const image of result.images) expect(image).toMatchObject({ width: 1080, height: 1080 });
    for (const words of ["generate-ad", "Sale", "#2", "1080×1080"])
      expect(svgs[1]).toContain(words);
  });

  test("are found at an address where the service serves them", async () => {
    const { result, id } = await make({ variations: 2 }, { artwork: "served" });
    const urls = result.images.map(({ url }: { url: string }) => new URL(url, "https://ads.test"));
    const paths = [1, 2].map((variation) => `/__mock/artwork/${id}/${variation}.svg`);
    expect(urls.map(({ pathname }: URL) => pathname)).toEqual(paths);
  });

  test("are videos of the duration that was asked for", async () => {
    const { videos } = (await make({ action: "video-a-2", prompt: "Sale", duration: 8 })).result;
    expect(videos).toEqual([{ url: expect.any(String), duration: 8 }]);
    expect(videos[0].url.slice(0, 27)).toBe("data:video/mp4;base64,AAAAI");
    expect((await make({ action: "video-a-2" })).result.videos[0].duration).toBe(5);
  });

  test.each(actions)("of %s are as many as its variations, or none for text", async (action) => {
    const { id, artwork } = await make({ action, variations: 3 });
    const variations = [0, 1, 3, 4, 1.5, Number.NaN];
    const drawn = variations.map((variation) => artwork(id, variation) !== undefined);
    const some = creditOfAction[action] !== null;
    expect(drawn).toEqual([false, some, some, false, false, false]);
  });

  test("are PNG files where the service makes those, inline too", async () => {
    const { result, id, artwork } = await make({}, { pictureFormat: "png" });
    const [start, base64] = result.images[0].url.split(",");
    expect(start).toBe("data:image/png;base64");
    const file = artwork(id, 1, { format: "png" });
    expect(Buffer.from(base64, "base64")).toEqual(Buffer.from(file ?? []));
    expect(artwork(id, 1)).toMatch(/^<svg/);
  });

  test("are refused in a format that does not exist", () => {
    const { artwork } = setUp().service;
    // @ts-expect-error: no such format
    expect(() => artwork("job_1", 1, { format: "gif" })).toThrow(
      'The mock\'s artwork.format must be one of svg, png, mp4; it is "gif"',
    );
    expectTypeOf(artwork("job_1", 1)).toEqualTypeOf<string | undefined>();
    expectTypeOf(artwork("job_1", 1, { format: "mp4" })).toEqualTypeOf<
      Uint8Array<ArrayBuffer> | undefined
    >();
  });
});

type Copy = Record<"headline" | "primary_text" | "description" | "call_to_action", string>;

describe("a job's copy", () => {
  const copyOf = async (prompt: string, brand?: string, seed = "seed"): Promise<Copy[]> => {
    const { ask, submit, poll } = setUp({ timeline: atOnce, seed });
    const made = await ask("POST", "/v1/brands", { name: brand ?? "" });
    const brand_id = brand === undefined ? {} : { brand_id: made.data.id };
    const body = { action: "generate-ad-copy", prompt, variations: 10, ...brand_id };
    return (await poll(await submit(body))).data.result.copy;
  };

  const differ = (copy: readonly Copy[]): void => {
    expect(new Set(copy.map((entry) => JSON.stringify(entry))).size).toBe(10);
    for (const [index, entry] of copy.entries()) {
      expect(entry.call_to_action).not.toBe(copy[index + 1]?.call_to_action);
    }
  };

  test.each(["one", "two", "three"])("is ten ads that differ, by the seed %s", async (seed) => {
    const copy = await copyOf("summer shoes", undefined, seed);
    differ(copy);
    for (const field of ["headline", "primary_text", "description", "call_to_action"] as const) {
      const texts = copy.map((entry) => entry[field]);
      expect(texts.every((text) => text !== "")).toBe(true);
      expect(new Set(texts).size).toBe(4);
      expect(texts.filter((text, index) => text === texts[index + 1])).toEqual([]);
    }
  });

  test.each([
    ["our new bike", "“our new bike”"],
    ["夏セール", "“夏セール”"],
    ["", "something new"],
  ])("quotes %j", async (prompt, quote) => {
    for (const { headline } of await copyOf(prompt, "Acme")) {
      expect(headline).toContain(`${quote} by Acme`);
    }
  });

  test("is well-formed for any prompt, with ellipses", async () => {
    const headlinesOf = async (prompt: string) =>
      (await copyOf(prompt)).map(({ headline }) => headline);
    const family = "👨‍👩‍👧‍👦";
    for (const headline of await headlinesOf(family.repeat(90))) {
      expect(headline.replaceAll(family, "")).toMatch(/^\D*…”$/);
    }
    for (const prompt of ["\ud83d sale", "a\u0000\nb", `${"x".repeat(79)}\ud83d`]) {
      expect((await headlinesOf(prompt)).join("")).not.toMatch(/[\p{Cc}\p{Cs}]/u);
    }
  });
});
