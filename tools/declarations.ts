import ts from "typescript";

const esmOnlyPackages = /^msw(\/|$)/;
const importMode = ' with { "resolution-mode": "import" }';

const disposable = '/// <reference lib="esnext.disposable" />\n';

/** `await using` is newer than what consumers compile for: who names its types has to bring them. */
export const referToLibraries = (text: string): string =>
  text.includes("AsyncDisposable") && !text.startsWith(disposable) ? disposable + text : text;

/**
 * Names the type of bytes by the function that makes them. `Uint8Array` has a parameter from
 * TypeScript 5.7 on, and newer libraries take bytes as a body only with the right one.
 */
export const nameBytes = (text: string): string =>
  text.replaceAll("Uint8Array<ArrayBuffer>", 'ReturnType<Uint8ArrayConstructor["of"]>');

/** Makes a declaration name its neighbours' CommonJS twins. */
export const nameTwins = (text: string): string =>
  text.replace(/(?<=\b(?:from|import)[ (]*["']\.{1,2}\/[^"']+)\.js(?=["'])/g, ".cjs");

/**
 * Makes a CommonJS declaration name the types of ESM-only packages by type-only imports in import
 * mode. All other imports give CommonJS consumers TS1479 on node16 and node18.
 */
export const importTypesOfEsmPackages = (fileName: string, text: string): string => {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const insertions: { at: number; what: string }[] = [];
  for (const statement of source.statements) {
    const isImport = ts.isImportDeclaration(statement);
    if (!isImport && !ts.isExportDeclaration(statement)) continue;
    const { moduleSpecifier: specifier } = statement;
    if (specifier === undefined || !ts.isStringLiteral(specifier)) continue;
    if (!esmOnlyPackages.test(specifier.text) || statement.attributes !== undefined) continue;
    const isTypeOnly = isImport
      ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      : statement.isTypeOnly;
    const keyword = isImport ? "import" : "export";
    if (!isTypeOnly) insertions.push({ at: statement.getStart() + keyword.length, what: " type" });
    insertions.push({ at: specifier.end, what: importMode });
  }
  return insertions.reduceRight(
    (result, { at, what }) => result.slice(0, at) + what + result.slice(at),
    text,
  );
};
