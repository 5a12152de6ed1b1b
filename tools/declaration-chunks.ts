import { posix } from "node:path";
import ts from "typescript";

/* Rollup shares declarations in chunks: `client-It8LDCw-.d.ts`, which exports `AdGenClient as A`. */

/** Path of a declaration, relative to `dist` → its text. */
type Declarations = ReadonlyMap<string, string>;

type Named = ts.ImportDeclaration | ts.ExportDeclaration;
type Specifier = ts.ImportSpecifier | ts.ExportSpecifier;

const folder = "shared";
const extension = /\.d\.ts$/;

const statementsOf = (path: string, text: string): Named[] =>
  ts
    .createSourceFile(path, text, ts.ScriptTarget.Latest)
    .statements.filter(
      (statement): statement is Named =>
        ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement),
    );

const specifiersOf = (statement: Named): readonly Specifier[] => {
  const clause = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause;
  return clause && "elements" in clause ? [...clause.elements] : [];
};

/** The declaration that a statement names, where it is one of ours. */
const targetOf = (path: string, { moduleSpecifier }: Named): string | undefined => {
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return undefined;
  const { text } = moduleSpecifier;
  if (!text.startsWith(".")) return undefined;
  return posix.join(posix.dirname(path), text.replace(/\.js$/, ".d.ts"));
};

/** For each name that a chunk exports, the one by which it declares it. */
const realNamesOf = (path: string, text: string): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const statement of statementsOf(path, text).filter(ts.isExportDeclaration)) {
    if (statement.moduleSpecifier !== undefined) throw new Error(`${path} exports another file`);
    for (const { name, propertyName = name } of specifiersOf(statement)) {
      names.set(name.text, propertyName.text);
    }
  }
  return names;
};

/** `client-It8LDCw-.d.ts` becomes `shared/client.d.ts`. */
const placesOf = (chunks: ReadonlyMap<string, ReadonlyMap<string, string>>) => {
  const places = new Map<string, string>();
  // Two of one name are told apart in an order that no hash decides.
  const sorted = [...chunks].sort(([, one], [, other]) =>
    [...one.values()].sort().join() < [...other.values()].sort().join() ? -1 : 1,
  );
  for (const [chunk] of sorted) {
    const [, name] = /^([a-z0-9]+(?:-[a-z0-9]+)*)-.{8}\.d\.ts$/.exec(posix.basename(chunk)) ?? [];
    if (name === undefined) throw new Error(`${chunk} is no entry, and has no hash in its name`);
    const isTaken = (place: string) => [...places.values()].includes(place);
    let place = `${folder}/${name}.d.ts`;
    for (let number = 2; isTaken(place); number += 1) place = `${folder}/${name}-${number}.d.ts`;
    places.set(chunk, place);
  }
  return places;
};

/**
 * Gives the chunks of declarations names that stay from build to build, and has them export what
 * they declare by its own name. "Go to definition" leads into these files.
 *
 * @param entries Declarations of the package's entries, which stay where they are.
 */
export const nameChunks = (
  declarations: Declarations,
  entries: readonly string[],
): Map<string, string> => {
  const chunks = [...declarations].filter(([path]) => !entries.includes(path));
  const realNames = new Map(chunks.map(([path, text]) => [path, realNamesOf(path, text)]));
  const places = placesOf(realNames);

  const rename = (path: string, text: string): string => {
    const place = places.get(path) ?? path;
    const changes: { from: number; to: number; text: string }[] = [];
    const change = (node: ts.Node, text: string) =>
      changes.push({ from: node.end - node.getFullWidth(), to: node.end, text: ` ${text}` });

    for (const statement of statementsOf(path, text)) {
      const target = targetOf(path, statement);
      const { moduleSpecifier } = statement;
      if (target !== undefined && moduleSpecifier !== undefined) {
        const moved = places.get(target) ?? target;
        const way = posix.relative(posix.dirname(place), moved).replace(extension, ".js");
        change(moduleSpecifier, `'${way.startsWith(".") ? way : `./${way}`}'`);
      }
      const names = target === undefined ? undefined : realNames.get(target);
      const isOwn = moduleSpecifier === undefined && places.has(path);
      for (const specifier of specifiersOf(statement)) {
        const { name, propertyName = name, isTypeOnly } = specifier;
        if (names === undefined && !isOwn) continue;
        const outer = isOwn ? propertyName.text : (names?.get(propertyName.text) ?? "");
        if (outer === "") throw new Error(`${target} has no ${propertyName.text}`);
        const inner = isOwn ? outer : name.text;
        const both = outer === inner ? outer : `${outer} as ${inner}`;
        change(specifier, isTypeOnly ? `type ${both}` : both);
      }
    }
    return changes
      .sort((one, other) => other.from - one.from)
      .reduce((done, { from, to, text }) => done.slice(0, from) + text + done.slice(to), text);
  };

  return new Map(
    Array.from(declarations, ([path, text]) => [places.get(path) ?? path, rename(path, text)]),
  );
};
