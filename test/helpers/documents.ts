import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

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

/** A link that does not leave the repository. */
export interface Link {
  /** Text as it stands between the brackets of the link. */
  readonly written: string;
  /** File that it points to, from the root of the repository. */
  readonly file: string;
  readonly anchor: string | undefined;
}

/** Lists the links that do not leave the repository. */
export const linksIn = ({ path, text }: Document): Link[] =>
  Array.from(
    withoutBlocks(text)
      .replace(/`[^`\n]*`/g, "code")
      .matchAll(/\]\(([^)\s]+)\)/g),
    ([, written = ""]) => written,
  )
    .filter((written) => !/^(https?|mailto):/.test(written))
    .map((written) => {
      const [target = "", anchor] = written.split("#");
      return { written, file: target === "" ? path : join(dirname(path), target), anchor };
    });

/** Lists the anchors of a document's headings, as GitHub makes them. */
const anchorsIn = (text: string): string[] => {
  const seen = new Map<string, number>();
  return Array.from(withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm), ([, heading = ""]) => {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
};

/** Lists the links that point to no file, or to no heading of a document. */
export const findBrokenLinks = (documents: readonly Document[]): string[] => {
  const texts = new Map(documents.map(({ path, text }) => [path, text]));
  return documents.flatMap((document) =>
    linksIn(document).flatMap(({ written, file, anchor }) => {
      const text = texts.get(file);
      const isThere = text !== undefined || existsSync(file);
      const isHeading = anchor === undefined || (text && anchorsIn(text).includes(anchor));
      return isThere && isHeading ? [] : [`${document.path} links to ${written}`];
    }),
  );
};

/** Lists the documents that a reader comes to from `start` by links. */
export const findReachable = (documents: readonly Document[], start: Document): Set<string> => {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  const reached = new Set<string>();
  const waiting = [start];
  for (const document of waiting) {
    if (reached.has(document.path)) continue;
    reached.add(document.path);
    for (const { file } of linksIn(document)) {
      const next = byPath.get(file);
      if (next !== undefined) waiting.push(next);
    }
  }
  return reached;
};
