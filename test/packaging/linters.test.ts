import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, inject, test } from "vitest";
import { runNode } from "./run.ts";

const { tarball } = inject("packed");

/**
 * A condition of `exports` would need the whole client a second time, one of `imports` is unknown to
 * bundlers of React Native.
 */
const refusedSuggestion = "USE_EXPORTS_OR_IMPORTS_BROWSER";

test("publint finds nothing, suggestions included", async () => {
  const bytes = new Uint8Array(readFileSync(tarball)).buffer;
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
  const found = messages.filter(({ code }) => code !== refusedSuggestion);
  expect(found.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test("every entry's types are right for every way to resolve them", async () => {
  const attw = resolve("node_modules/@arethetypeswrong/cli/dist/index.js");
  const { status, stdout, stderr } = await runNode(process.cwd(), [
    attw,
    tarball,
    "--no-definitely-typed",
    // The oldest way to resolve knows no entries, only files: JSON has no `typesVersions`.
    "--exclude-entrypoints",
    "./openapi.json",
    "--no-color",
    "--no-emoji",
  ]);
  expect(status, stdout + stderr).toBe(0);
});
