import type { Passage } from "./passages-in-code.ts";

const blank = (text: string): string => text.replace(/[^\n]/g, "");

/** Reads a line as the beginning of a passage: a heading, an item of a list, a row of a table. */
const startsPassage = (line: string): boolean => /^\s*(#{1,6} |[-*+] |\d+[.)] |\||>)/.test(line);

const withoutMarks = (line: string): string =>
  line.replace(/^\s*(#{1,6} |[-*+] |\d+[.)] |>)\s*/, "").trim();

/** Reads the prose of a Markdown file: no code blocks; of a link its words; each cell for itself. */
export const passagesInMarkdown = (text: string): Passage[] => {
  const prose = text
    .replace(/^---\n.*?^---$/ms, blank)
    .replace(/^[ \t]*(```|~~~).*?^[ \t]*\1[ \t]*$/gms, blank)
    .replace(/<!--.*?-->/gs, blank)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
  const passages: Passage[] = [];
  let isOpen = false;
  for (const [index, line] of prose.split("\n").entries()) {
    const place = { line: index + 1, kind: "prose" } as const;
    const last = passages.at(-1);
    if (line.trim() === "") {
      isOpen = false;
    } else if (line.trimStart().startsWith("|")) {
      // A bar inside code is escaped or part of the code.
      const cells = line.replace(/`[^`]*`/g, "`code`").split("|");
      passages.push(...cells.map((cell) => ({ ...place, text: cell.trim() })));
      isOpen = false;
    } else if (isOpen && last !== undefined && !startsPassage(line)) {
      passages[passages.length - 1] = { ...last, text: `${last.text} ${line.trim()}` };
    } else {
      passages.push({ ...place, text: withoutMarks(line) });
      isOpen = !/^\s*#{1,6} /.test(line);
    }
  }
  return passages;
};
