/**
 * `prepack` takes out of package.json what only this repository needs; `postpack` puts it back.
 * Publish the tarball that `npm pack` has written: without a file, `npm publish` reads package.json
 * again after `postpack` has put everything back.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const kept = ".tmp/package.json";

/** package.json as it is published. */
export const publishedManifest = (text: string): string => {
  const { scripts, devDependencies, overrides, allowScripts, ...published } = JSON.parse(text);
  return `${JSON.stringify(published, null, 2)}\n`;
};

const [, , task] = process.argv;
if (task === "strip") {
  const text = readFileSync("package.json", "utf8");
  mkdirSync(".tmp", { recursive: true });
  writeFileSync(kept, text);
  writeFileSync("package.json", publishedManifest(text));
}
if (task === "restore") renameSync(kept, "package.json");
