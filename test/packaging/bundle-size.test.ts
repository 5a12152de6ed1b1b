import { build } from "esbuild";
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

/** Rooms of `src` that a browser app gets, by what it uses of the client. */
const roomsOf = async (names: string): Promise<Set<string>> => {
  const { metafile } = await build({
    stdin: {
      contents: `import { ${names} } from "./src/index.ts"; console.log(${names});`,
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

  test("pays no more than the limit for createClient and pollJob, ky and zod included", () => {
    expect(sizes.imported).toBeLessThanOrEqual(maxBundleBytes);
  });

  test("pays no more than the limit for our own code", () => {
    expect(sizes.own).toBeLessThanOrEqual(maxOwnBytes);
  });

  test("pays no more than the limit when it uses require", () => {
    expect(sizes.required).toBeLessThanOrEqual(maxRequiredBytes);
  });

  test("pays at most 6 KiB to steer a mock server", () => {
    expect(sizes.connect).toBeLessThanOrEqual(maxConnectBytes);
  });

  test("pays at most 1 KiB for the ready schemas", () => {
    expect(sizes.assumed).toBeLessThanOrEqual(maxAssumedBytes);
  });

  test("gets nothing of submissions and their stores for createClient and pollJob", async () => {
    const rooms = await roomsOf("createClient, pollJob");

    expect(rooms).toContain("src/transport");
    expect(rooms).not.toContain("src/submissions");
  });

  test.each([
    ["import", 'import { createClient } from "adgen-sdk"; console.log(createClient);'],
    ["require", 'const { createClient } = require("adgen-sdk"); console.log(createClient);'],
  ])(
    "gets nothing of the channels for tracers by %s, which a program for Node does",
    async (_, contents) => {
      const bundleFor = async (platform: "browser" | "node"): Promise<string> => {
        const stdin = { contents, resolveDir: plain };
        const { outputFiles } = await build({
          stdin,
          bundle: true,
          write: false,
          platform,
          format: "esm",
        });
        return outputFiles[0]?.text ?? "";
      };
      expect(await bundleFor("browser")).not.toMatch("diagnostics_channel");
      expect(await bundleFor("node")).toMatch("diagnostics_channel");
    },
  );

  test("does not get ky and zod for our errors alone", () => {
    expect(sizes.errorsOnly).toBeLessThanOrEqual(2 * 1024);
  });
});
