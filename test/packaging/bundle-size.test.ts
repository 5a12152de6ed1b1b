import { build } from "esbuild";
import { beforeAll, describe, expect, inject, test } from "vitest";
import {
  type BundleSizes,
  describeSizes,
  maxAssumedBytes,
  maxBundleBytes,
  maxConnectBytes,
  maxOwnBytes,
  maxProxyBytes,
  maxRequiredBytes,
  measureBundles,
} from "../../tools/bundle-size.ts";

const { plain } = inject("packed");

/** Folders of `src` that a browser app gets, by what it uses of the client. */
const foldersOf = async (names: string): Promise<Set<string>> => {
  const { metafile } = await build({
    stdin: {
      contents: `import { ${names} } from "./src/client/index.ts"; console.log(${names});`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
  });
  const [{ inputs }] = Object.values(metafile.outputs) as [(typeof metafile.outputs)[string]];
  const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return new Set(used.map(([path]) => path.split("/", 2).join("/")));
};

describe("a browser app", () => {
  let sizes: BundleSizes;
  beforeAll(async () => {
    sizes = await measureBundles(plain, process.cwd());
    console.log(describeSizes(sizes));
  });

  test.each<[what: string, bytes: keyof BundleSizes, limit: number]>([
    ["createClient and pollJob, ky included", "imported", maxBundleBytes],
    ["our own code", "own", maxOwnBytes],
    ["what it requires", "required", maxRequiredBytes],
    ["steering a mock server", "connect", maxConnectBytes],
    ["the ready schemas", "assumed", maxAssumedBytes],
    ["a proxy, beside the client", "proxy", maxProxyBytes],
    ["our errors alone, without ky", "errorsOnly", 2 * 1024],
  ])("pays no more than the limit for %s", (_, bytes, limit) => {
    expect(sizes[bytes]).toBeLessThanOrEqual(limit);
  });

  test("gets nothing of submissions and their stores for createClient and pollJob", async () => {
    const folders = await foldersOf("createClient, pollJob");

    expect(folders).toContain("src/client");
    expect(folders).not.toContain("src/submissions");
  });
});
