import { expect, inject, test } from "vitest";
import { describeSize, maxBundleBytes, measureBundle } from "../../tools/bundle-size.ts";

const { plain } = inject("packed");

test("a browser app pays at most 18 KiB for createClient and pollJob", async () => {
  const bytes = await measureBundle(plain);
  console.log(describeSize(bytes));
  expect(bytes).toBeLessThanOrEqual(maxBundleBytes);
});
