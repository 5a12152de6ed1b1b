import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Chromium from npm, as the tests start it. */
export interface PackedChromium {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/** Names the shared libraries and fonts that come with the browser, for a system without them. */
export const packedEnvironment = (folder: string) => ({
  LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
  FONTCONFIG_PATH: join(folder, "fonts"),
});

const versionOf = (): string => {
  const manifest = join(root, "node_modules/@sparticuz/chromium/package.json");
  return JSON.parse(readFileSync(manifest, "utf8")).version;
};

/** Unpacks next to `folder` and renames, so that another process never sees half a browser. */
const unpack = (folder: string): boolean => {
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  try {
    const script = join(import.meta.dirname, "unpack-chromium.ts");
    const { status } = spawnSync(process.execPath, [script], {
      env: { ...process.env, TMPDIR: unfinished },
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) return false;
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      // Another process was faster.
      if (!existsSync(folder)) throw error;
    }
    return true;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
};

/**
 * Finds the Chromium of `@sparticuz/chromium`, and unpacks it when it is used for the first time:
 * 210 MB below node_modules. The package has a binary for Linux on x64 only.
 */
export const findPackedChromium = (): PackedChromium | undefined => {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const folder = join(root, "node_modules/.cache", `chromium-${versionOf()}`);
  if (!existsSync(folder) && !unpack(folder)) return undefined;
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    executablePath: join(folder, "chromium"),
    env: { ...Object.fromEntries(inherited), ...packedEnvironment(folder) },
  };
};
