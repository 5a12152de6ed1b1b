import { globSync, readFileSync } from "node:fs";

/** One Markdown file of the repository. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

const read = (path: string): Document => ({ path, text: readFileSync(path, "utf8") });

export const readme = read("README.md");

/** The guides, and the pages for contributors. */
export const guides: readonly Document[] = globSync("docs/**/*.md").sort().map(read);

/** Everything that is written for readers of the repository. */
export const documents: readonly Document[] = [
  readme,
  read("AGENTS.md"),
  read("CONTRIBUTING.md"),
  read("SECURITY.md"),
  read("CHANGELOG.md"),
  ...guides,
];

/** Removes the fenced code blocks. */
export const withoutBlocks = (text: string): string => text.replace(/^```.*?^```$/gms, "");

/** Lists the words that stand in inline code. */
export const wordsInCode = (text: string): Set<string> =>
  new Set(
    withoutBlocks(text)
      .match(/`[^`\n]+`/g)
      ?.flatMap((code) => code.match(/\w+/g) ?? []),
  );
