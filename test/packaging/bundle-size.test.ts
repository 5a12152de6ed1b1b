import { beforeAll, describe, expect, inject, test } from "vitest";
import {
  type BundleSizes,
  describeSizes,
  maxAssumedBytes,
  maxBundleBytes,
  maxConnectBytes,
  maxOwnBytes,
  maxRequiredBytes,
  measureBundles,
} from "../../tools/bundle-size.ts";

const { plain } = inject("packed");

describe("a browser app", () => {
  let sizes: BundleSizes;
  beforeAll(async () => {
    sizes = await measureBundles(plain, process.cwd());
    console.log(describeSizes(sizes));
  });

  test("pays at most 34.2 kB for createClient and pollJob, ky and zod included", () => {
    expect(sizes.imported).toBeLessThanOrEqual(maxBundleBytes);
  });

  test("pays at most 22.6 kB for our own code", () => {
    expect(sizes.own).toBeLessThanOrEqual(maxOwnBytes);
  });

  test("pays at most 43.4 kB when it uses require", () => {
    expect(sizes.required).toBeLessThanOrEqual(maxRequiredBytes);
  });

  test("pays at most 6 KiB to steer a mock server", () => {
    expect(sizes.connect).toBeLessThanOrEqual(maxConnectBytes);
  });

  test("pays at most 1 KiB for the ready schemas", () => {
    expect(sizes.assumed).toBeLessThanOrEqual(maxAssumedBytes);
  });

  test("does not get ky and zod for our errors alone", () => {
    expect(sizes.errorsOnly).toBeLessThanOrEqual(2 * 1024);
  });
});
