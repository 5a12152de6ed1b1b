/** Plain English in comments, test titles and docs: the rules of STYLE.md that a program can check. */
import { type Passage, passagesInCode } from "./passages-in-code.ts";
import { passagesInMarkdown } from "./passages-in-markdown.ts";

/** Globs of the files that the repository's own test reads. */
export const plainEnglishFiles: readonly string[] = [
  "{src,mocks,tools,test,bench,examples}/**/*.{ts,tsx}",
  "mocks/**/*.js",
  "*.{ts,md}",
  "{docs,examples}/**/*.md",
];

const maxWords = 25;

/** Words that begin no passage of a kind. A value's comment begins with a noun, a function's with a verb. */
const weakStarts: Readonly<Partial<Record<Passage["kind"], RegExp>>> = {
  doc: /^(What|Whoever|Nobody|How|Where|Whether)\b/,
  title: /^(What|Whoever|Nobody|How)\b/i,
};

/** Code counts as one word, whatever is in it. */
const withoutCode = (text: string): string =>
  text
    .replace(/@assumed( A\d+)+/g, "")
    .replace(/\{@link (\w+)[^}]*\}/g, "$1")
    .replace(/`[^`]*`/g, "code");

const sentencesOf = (text: string): string[] =>
  text
    .split(/\n\s*\n|\n\s*(?=- )/)
    .flatMap((paragraph) => paragraph.replace(/\s+/g, " ").split(/(?<=[.!?]["”)]?) (?=\S)/));

const wordsIn = (sentence: string): number => sentence.match(/[\w'’/-]*\w/g)?.length ?? 0;

/** Lists the breaches in the comments and titles of code, or in the prose of Markdown, one for each. */
export const findEnglishBreaches = (path: string, text: string): string[] => {
  const passages = path.endsWith(".md") ? passagesInMarkdown(text) : passagesInCode(path, text);
  return passages.flatMap(({ line, kind, text: passage }) => {
    const place = `${path}:${line}`;
    const plain = withoutCode(passage.trim());
    const [start] = weakStarts[kind]?.exec(plain) ?? [];
    return [
      ...(start === undefined ? [] : [`${place} begins with "${start}"`]),
      ...sentencesOf(plain)
        .map((sentence) => ({ sentence, words: wordsIn(sentence) }))
        .filter(({ words }) => words > maxWords)
        .map(({ sentence, words }) => `${place} has a sentence of ${words} words: ${sentence}`),
    ];
  });
};
