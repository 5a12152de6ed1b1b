import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readBlocks, recipeNameOf } from "./doc-blocks.ts";
import { guides } from "./documents.ts";

/** Tells whether a block is a file of a program, and named in its first line. */
export const isRecipe = (info: string): boolean => /^(?:tsx? recipe|ts next|python)$/.test(info);

/**
 * Writes the files of a guide's program into a folder of the repository, ignored by git.
 *
 * @param change - Changes a file, where this machine has no such command or port
 * @param place - Name of the folder; tests that run at the same time each need one
 * @returns the folder
 */
export const writeRecipe = (
  guide: string,
  change: (code: string) => string = (code) => code,
  place = guide,
): string => {
  const document = guides.find(({ path }) => path === guide);
  if (document === undefined) throw new Error(`There is no ${guide}`);
  const folder = resolve(".tmp/recipes", place.replaceAll(/\W+/g, "-"));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const block of readBlocks(document)) {
    if (!isRecipe(block.info)) continue;
    const name = recipeNameOf(block);
    if (name === undefined) throw new Error(`${block.place} names no file in its first line`);
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), change(block.code));
  }
  return folder;
};
