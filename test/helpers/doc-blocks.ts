import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Document } from "./documents.ts";

/** One fenced block of a document. */
export interface Block {
  /** File and line of the opening fence. */
  readonly place: string;
  /** Text behind the opening fence: the language, and a marker. */
  readonly info: string;
  readonly code: string;
}

/** Lists every fenced block, of any language. */
export const readBlocks = ({ path, text }: Document): Block[] =>
  Array.from(
    text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms),
    ({ index, 1: info = "", 2: code = "" }) => ({
      place: `${path}:${text.slice(0, index).split("\n").length}`,
      info,
      code,
    }),
  );

/** Folder inside the repository, so that packages are found; ignored by git. One for each worker. */
const folder = resolve(`.tmp/docs/${process.env["VITEST_POOL_ID"]}`);

const project = {
  extends: resolve("tsconfig.json"),
  compilerOptions: {
    moduleDetection: "force",
    noPropertyAccessFromIndexSignature: false,
    // The declarations of packages are checked by npm run typecheck.
    skipLibCheck: true,
  },
  include: ["."],
};

/** Packages that blocks import, and that are not installed here. */
const strangers = `
declare module "next/server" {
  export const after: (task: Promise<unknown>) => void;
}
declare module "next/headers" {
  export const headers: () => Promise<Headers>;
}
declare module "next/cache" {
  export const refresh: () => void;
}
`;

/** Names the file of a recipe, as its first line does. */
export const recipeNameOf = ({ code }: Block): string | undefined =>
  /^(?:\/\/|#) ([\w.+$-]+)\n/.exec(code)?.[1];

/** Writes each block as a module, named after its place, with a project to type-check them. */
export const writeBlocks = (blocks: readonly Block[]): string => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(project));
  writeFileSync(`${folder}/strangers.d.ts`, strangers);
  for (const block of blocks) {
    mkdirSync(dirname(fileOf(block)), { recursive: true });
    writeFileSync(fileOf(block), block.code);
  }
  return folder;
};

/** Names a block's file. The files of a guide's recipes stand side by side: they import each other. */
export const fileOf = (block: Block): string => {
  const place = block.place.replace(/\W+/g, "-");
  const name = /^tsx? recipe$/.test(block.info) ? recipeNameOf(block) : undefined;
  return name === undefined
    ? `${folder}/${place}.ts`
    : `${folder}/${place.replace(/-\d+$/, "")}/${name}`;
};
