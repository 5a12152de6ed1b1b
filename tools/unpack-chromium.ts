/**
 * Unpacks the Chromium of `@sparticuz/chromium` into the folder that TMPDIR names, and starts it
 * once. Runs as a process of its own, because the package unpacks to the temporary folder only.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import chromium, { inflate } from "@sparticuz/chromium";
import { packedEnvironment } from "./packed-chromium.ts";

const folder = tmpdir();
const libraries = new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium"));

const executable = await chromium.executablePath();
await inflate(fileURLToPath(libraries));
// The package's own file names the folder /tmp/fonts.
writeFileSync(
  `${folder}/fonts/fonts.conf`,
  `<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>`,
);
// Throws where the binary cannot run, for instance without glibc.
execFileSync(executable, ["--version"], {
  env: { ...process.env, ...packedEnvironment(folder) },
  stdio: ["ignore", "ignore", "inherit"],
  timeout: 30_000,
});
