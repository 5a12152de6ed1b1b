/** Cuts texts out of the README and the guides when they are needed, so that no copy gets old. */
import { documents, guides } from "../../test/helpers/documents.ts";

const blocksOf = (text: string) => {
  let heading = "";
  const parts = text.matchAll(/^#+ ([^\n]+)$|^```([^\n]*)\n(.*?)^```$/gms);
  return Array.from(parts, ({ index, 1: title, 2: info = "", 3: code = "" }) => {
    heading = title ?? heading;
    const file = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(code)?.[1];
    return { heading, info, file, code, isEarly: index < text.length / 3 };
  }).filter(({ info }) => info !== "");
};

/**
 * Cuts a block out of a document. `path > block` names it by the file in its first line, by the
 * text of its fence, or by a heading, if it is the first program below that heading.
 */
export const cut = (place: string): string => {
  const [path, name] = place.split(" > ");
  const document = documents.find((found) => found.path === path);
  if (document === undefined) throw new Error(`There is no ${path}`);
  const blocks = blocksOf(document.text);
  const found =
    blocks.find(({ file, info }) => file === name || info === name) ??
    blocks.find(({ heading, info }) => heading === name && /^[jt]s/.test(info));
  if (found !== undefined) return found.code;
  const there = blocks.map(({ file, info, heading }) => file ?? `${info} below "${heading}"`);
  throw new Error(`There is no block ${place}, which a setting copies, but ${there.join(", ")}`);
};

/** Writes the `copies` of a setting for files that stand in one document. */
export const filesOf = (path: string, ...files: readonly string[]): Record<string, string> =>
  Object.fromEntries(files.map((file) => [file, `${path} > ${file}`]));

/** The first program of each guide, where the guide's first third has one. */
export const firstPrograms = guides.flatMap(({ path, text }) => {
  const program = blocksOf(text).find(({ info, isEarly }) => isEarly && info === "ts");
  return program === undefined ? [] : [{ path, code: program.code }];
});
