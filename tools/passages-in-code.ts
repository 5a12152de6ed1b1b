/** Texts in TypeScript that people read: comments, and the titles of tests. */
import ts from "typescript";

/** A text that is read for itself, without the marks of its language. */
export interface Passage {
  readonly line: number;
  readonly kind: "doc" | "comment" | "title" | "prose";
  readonly text: string;
}

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

/** Reads the comments of a file; neighbouring `//` lines are one. */
const commentsIn = (source: ts.SourceFile): Passage[] => {
  const comments: (Passage & { readonly end: number })[] = [];
  for (const { pos, end, kind: syntax } of rangesIn(source)) {
    const raw = source.text.slice(pos, end);
    const line = source.getLineAndCharacterOfPosition(pos).line + 1;
    const isLine = syntax === ts.SyntaxKind.SingleLineCommentTrivia;
    const last = comments.at(-1);
    const gap = last && isLine ? source.text.slice(last.end, pos) : undefined;
    if (last?.kind === "comment" && gap !== undefined && /^\n[ \t]*$/.test(gap)) {
      comments[comments.length - 1] = { ...last, end, text: `${last.text} ${textOf(raw)}` };
    } else {
      const kind = raw.startsWith("/**") ? "doc" : "comment";
      comments.push({ line, kind, text: textOf(raw), end });
    }
  }
  return comments.filter(({ text }) => !text.startsWith("biome-ignore"));
};

/** Cuts a comment into its description, the cells of its tables and the texts of its tags. */
const partsOf = ({ text, kind }: Passage): string[] => {
  if (kind !== "doc") return [text];
  return text.split(/^(?=@\w|\|)/m).flatMap((part) => {
    if (part.startsWith("|")) {
      const [row = "", ...rest] = part.split("\n");
      return [...row.split("|"), rest.join("\n")];
    }
    const [, tag, rest = ""] = /^@(\w+)\s*(.*)$/s.exec(part) ?? [];
    if (tag === undefined) return [part];
    if (tagsWithoutText.includes(tag)) return [];
    if (tag === "param") return [rest.replace(/^\S+\s*(- )?/, "")];
    // Codes are a list here, and no words of the sentence.
    return [tag === "throws" ? rest.replace(/`[^`]*`/g, "") : rest];
  });
};

const testFunctions = ["describe", "it", "suite", "test"];

/** Finds the function behind `test.each(rows)`, `describe.skipIf(condition)` and `test.concurrent`. */
const calledName = (expression: ts.Expression): string | undefined => {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression)) {
    return calledName(expression.expression);
  }
  return undefined;
};

/** Reads the titles of tests. */
const titlesIn = (source: ts.SourceFile): Passage[] => {
  const titles: Passage[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && testFunctions.includes(calledName(node.expression) ?? "")) {
      const [title] = node.arguments;
      if (title !== undefined && (ts.isStringLiteral(title) || ts.isTemplateLiteral(title))) {
        const line = source.getLineAndCharacterOfPosition(title.getStart(source)).line + 1;
        titles.push({ line, kind: "title", text: title.getText(source).slice(1, -1) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
};

/** Reads the comments of a file, and of a test file its titles too. */
export const passagesInCode = (path: string, text: string): Passage[] => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const comments = commentsIn(source).flatMap((comment) =>
    partsOf(comment).map((part) => ({ ...comment, text: part })),
  );
  return /\.test(-d)?\.ts$/.test(path) ? [...comments, ...titlesIn(source)] : comments;
};
