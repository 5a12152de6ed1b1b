import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** One fenced block of the README. */
export interface Block {
  /** Line at which it begins. */
  readonly line: number;
  /** Text behind the opening fence: the language, and a marker. */
  readonly info: string;
  readonly code: string;
}

/** Every fenced block, whatever its language. */
export const readBlocks = (text: string): Block[] =>
  Array.from(
    text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms),
    ({ index, 1: info = "", 2: code = "" }) => ({
      line: text.slice(0, index).split("\n").length,
      info,
      code,
    }),
  );

/** Inside the repository, so that packages are found; ignored by git. One for each test file. */
const folder = resolve(`.tmp/readme/${process.env["VITEST_POOL_ID"]}`);

/** Values that the README calls "those from above". */
const context = `import type { AdGenClient, SubmittedJob } from "adgen-sdk";
declare global {
  const client: AdGenClient;
  const job: SubmittedJob<"image-a-pro">;
}
`;

const project = {
  extends: resolve("tsconfig.json"),
  compilerOptions: { moduleDetection: "force", noPropertyAccessFromIndexSignature: false },
  include: ["."],
};

/** Writes each block as a module, named after its line, with a project to type-check them. */
export const writeBlocks = (blocks: readonly Block[]): string => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/context.d.ts`, context);
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(project));
  for (const block of blocks) writeFileSync(fileOf(block), block.code);
  return folder;
};

export const fileOf = ({ line }: Block): string => `${folder}/line-${line}.ts`;

export const readme = readFileSync("README.md", "utf8");
