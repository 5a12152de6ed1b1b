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

/** The file without strings, patterns and other texts, so that none is mistaken for a comment. */
const withoutTexts = (source: ts.SourceFile): string => {
  const parts: string[] = [];
  let end = 0;
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isLiteralExpression(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node);
    if (isText) {
      const start = node.getStart(source);
      parts.push(source.text.slice(end, start), " ".repeat(node.end - start));
      end = node.end;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return parts.join("") + source.text.slice(end);
};

/** Reads the comments of a file; neighbouring `//` lines are one. */
const commentsIn = (source: ts.SourceFile): Passage[] => {
  const comments: (Passage & { readonly end: number })[] = [];
  for (const { index, 0: raw } of withoutTexts(source).matchAll(/\/\/[^\n]*|\/\*.*?\*\//gs)) {
    const line = source.getLineAndCharacterOfPosition(index).line + 1;
    const end = index + raw.length;
    const last = comments.at(-1);
    const gap = last && raw.startsWith("//") ? source.text.slice(last.end, index) : undefined;
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

/** Comments are read as text here: TypeScript need not parse them. */
const parsing: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

/** Reads the comments of a file, and of a test file its titles too. */
export const passagesInCode = (path: string, text: string): Passage[] => {
  const source = ts.createSourceFile(path, text, parsing);
  const comments = commentsIn(source).flatMap((comment) =>
    partsOf(comment).map((part) => ({ ...comment, text: part })),
  );
  return /\.test(-d)?\.ts$/.test(path) ? [...comments, ...titlesIn(source)] : comments;
};
