/** Plain English in comments: the rules of STYLE.md that a program can check. */
import ts from "typescript";

/** One comment, without its marks; neighbouring `//` lines are one. */
interface Comment {
  readonly line: number;
  readonly isDoc: boolean;
  readonly text: string;
}

const maxWords = 25;

/** A value's comment begins with a noun, a function's with a verb. */
const weakStart = /^(What|Whoever|Nobody|How|Where|Whether)\b/;

/** Tags whose text is code, or names alone. */
const tagsWithoutText = ["example", "see", "default", "module", "assumed"];

const textOf = (comment: string): string =>
  comment.startsWith("//")
    ? comment.replace(/^\/\/ ?/, "")
    : comment
        .replace(/^\/\*+|\*+\/$/g, "")
        .replace(/^[ \t]*\* ?/gm, "")
        .trim();

/** Lists the places of all comments. The parser finds the tokens, so that no string is mistaken for one. */
const rangesIn = (source: ts.SourceFile): ts.CommentRange[] => {
  const { text } = source;
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source);
    if (children.length > 0 && !ts.isJSDoc(node)) children.forEach(visit);
    if (children.length > 0) return;
    const found = [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ];
    for (const range of found) ranges.set(range.pos, range);
  };
  visit(source);
  return [...ranges.values()].sort((a, b) => a.pos - b.pos);
};

/** Reads the comments of a file. */
const commentsIn = (source: ts.SourceFile): Comment[] => {
  const comments: (Comment & { readonly end: number })[] = [];
  for (const { pos, end, kind } of rangesIn(source)) {
    const raw = source.text.slice(pos, end);
    const line = source.getLineAndCharacterOfPosition(pos).line + 1;
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const last = comments.at(-1);
    const gap = last && isLine ? source.text.slice(last.end, pos) : undefined;
    if (last !== undefined && !last.isDoc && gap !== undefined && /^\n[ \t]*$/.test(gap)) {
      comments[comments.length - 1] = { ...last, end, text: `${last.text} ${textOf(raw)}` };
    } else {
      comments.push({ line, isDoc: raw.startsWith("/**"), text: textOf(raw), end });
    }
  }
  return comments.filter(({ text }) => !text.startsWith("biome-ignore"));
};

/** Cuts a comment into texts that are read for themselves: the description, and those of its tags. */
const partsOf = ({ text, isDoc }: Comment): string[] => {
  if (!isDoc) return [text];
  return text.split(/^(?=@\w)/m).flatMap((part) => {
    const [, tag, rest = ""] = /^@(\w+)\s*(.*)$/s.exec(part) ?? [];
    if (tag === undefined) return [part];
    if (tagsWithoutText.includes(tag)) return [];
    if (tag === "param") return [rest.replace(/^\S+\s*(- )?/, "")];
    // Codes are a list here, and no words of the sentence.
    return [tag === "throws" ? rest.replace(/`[^`]*`/g, "") : rest];
  });
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

/** Lists what is not plain English in a file's comments, one sentence each. */
export const findEnglishBreaches = (path: string, text: string): string[] => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return commentsIn(source).flatMap((comment) => {
    const place = `${path}:${comment.line}`;
    return partsOf(comment).flatMap((part) => {
      const plain = withoutCode(part.trim());
      const [start] = comment.isDoc ? (weakStart.exec(plain) ?? []) : [];
      return [
        ...(start === undefined ? [] : [`${place} begins with "${start}"`]),
        ...sentencesOf(plain)
          .map((sentence) => ({ sentence, words: wordsIn(sentence) }))
          .filter(({ words }) => words > maxWords)
          .map(({ sentence, words }) => `${place} has a sentence of ${words} words: ${sentence}`),
      ];
    });
  });
};
