import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { inspect } from "node:util";
import { type Document, guides } from "./documents.ts";

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

/** Folder of a worker. It lies in the repository, so that packages are found; git ignores it. */
const folder = resolve(`.tmp/docs/${process.env["VITEST_POOL_ID"]}`);

const project = {
  extends: resolve("tsconfig.json"),
  compilerOptions: { moduleDetection: "force", noPropertyAccessFromIndexSignature: false },
  include: ["."],
};

/** Declares the packages that blocks import, and that are not installed here. */
const strangers = `
declare module "@playwright/test" {
  export * from "playwright/test";
}
declare module "next/server" {
  export const after: (task: Promise<unknown>) => void;
}
declare module "next/cache" {
  export const revalidatePath: (path: string) => void;
}
declare module "next/headers" {
  export const cookies: () => Promise<{ get(name: string): { value: string } | undefined }>;
}
`;

/** Folder of the app for Next.js: its own project, because its imports have no file endings. */
const nextFolder = "next-app";

/** Tells whether a block is a file of the app for Next.js. */
export const isNextFile = ({ info }: Block): boolean => /^ts next$/.test(info);

/** Reads a recipe's file name from its first line. In the app for Next.js it may have folders. */
export const recipeNameOf = (block: Block): string | undefined => {
  const name = isNextFile(block) ? /^\/\/ ([\w.[\]/-]+)\n/ : /^(?:\/\/|#) ([\w.+$-]+)\n/;
  return name.exec(block.code)?.[1];
};

/** Writes each block as a module, named after its place, with projects to type-check them. */
export const writeBlocks = (blocks: readonly Block[]): string => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/${nextFolder}`, { recursive: true });
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ ...project, exclude: [nextFolder] }));
  writeFileSync(`${folder}/strangers.d.ts`, strangers);
  const forBundlers = { module: "esnext", moduleResolution: "bundler" };
  const compilerOptions = { ...project.compilerOptions, ...forBundlers };
  const nextProject = { ...project, compilerOptions, include: [".", "../strangers.d.ts"] };
  writeFileSync(`${folder}/${nextFolder}/tsconfig.json`, JSON.stringify(nextProject));
  for (const block of blocks) {
    mkdirSync(dirname(fileOf(block)), { recursive: true });
    writeFileSync(fileOf(block), block.code);
  }
  return folder;
};

/** Lists the projects in the folder of `writeBlocks`. */
export const projectsIn = (written: string): readonly string[] => [
  written,
  `${written}/${nextFolder}`,
];

/** Names a block's file. The files of a guide's recipes share a folder: they import each other. */
export const fileOf = (block: Block): string => {
  const place = block.place.replace(/\W+/g, "-");
  if (isNextFile(block)) return `${folder}/${nextFolder}/${recipeNameOf(block) ?? `${place}.ts`}`;
  const name = /^tsx? recipe$/.test(block.info) ? recipeNameOf(block) : undefined;
  return name === undefined
    ? `${folder}/${place}.ts`
    : `${folder}/${place.replace(/-\d+$/, "")}/${name}`;
};

const show = (value: unknown): string =>
  typeof value === "string"
    ? value
    : inspect(value, { breakLength: Number.POSITIVE_INFINITY }).replaceAll("'", '"');

/** Whether a printed line matches what the document says, where "…" stands for any text. */
const fits = (line: string, told: string): boolean => {
  const parts = told.split("…").map((part) => part.trim().replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(line);
};

/**
 * Lists the results that a program promises in the comments after its calls of `console.log`, but
 * did not print in this order. A remark may follow a result: `// 1: the twins share nothing`.
 */
export const missingResults = (code: string, printed: readonly (readonly unknown[])[]) => {
  const lines = printed.map((values) => values.map(show).join(" "));
  return Array.from(
    code.matchAll(/console\.log\(.*; \/\/ (.*)$/gm),
    ([, told = ""]) => told,
  ).filter((told) => {
    const [value = ""] = told.split(": ");
    const place = lines.findIndex((line) => fits(line, told) || fits(line, value));
    if (place !== -1) lines.splice(0, place + 1);
    return place === -1;
  });
};

/** Tells by its fence whether a block is a file of a program, which its first line names. */
export const isRecipe = (info: string): boolean => /^(?:tsx? recipe|ts next|python)$/.test(info);

/**
 * Writes the files of a guide's program into a folder of the repository, ignored by git.
 *
 * @param change - Changes a file that names a command or a port that this machine doesn't have
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
