import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type typescript from "typescript";
import type { API, Diagnostic } from "typescript7/unstable/sync";
import { olderTypeScript } from "../../tools/runtimes.ts";

/** An error that a compiler reports. */
export interface Complaint {
  /** The part of the program that an editor underlines. */
  readonly underlined: string;
  /** The message, with its further lines. */
  readonly message: string;
}

/** A compiler that has read one program. */
export interface CheckedProgram {
  /** Lists the errors between two positions of the program. */
  readonly complaintsIn: (start: number, end: number) => readonly Complaint[];
  /** Lists the names that an editor would offer at a position, in alphabetical order. */
  readonly completionsAt: (position: number) => readonly string[];
  readonly close: () => void;
}

const folderOfBinary = (tsc: string | undefined): string | undefined =>
  tsc && resolve(tsc, "../..");

/** The folder of each TypeScript; `undefined` where it is not installed. */
export const compilers = {
  "5.4": folderOfBinary(olderTypeScript("typescript54")),
  "5.9": folderOfBinary(olderTypeScript("typescript59")),
  "6.0": "typescript",
  "7.0": "typescript7",
} as const;

export type CompilerVersion = keyof typeof compilers;

const root = process.cwd();

/** The settings of a strict user. `paths` lets the program import the sources: no build is needed. */
const settings = {
  module: "nodenext",
  moduleResolution: "nodenext",
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  paths: { "adgen-sdk": [join(root, "src/client/index.ts")] },
};

/** A program of one file. Its text may change, and then its version changes, too. */
interface Program {
  readonly path: string;
  readonly version: () => string;
  readonly read: () => string;
}

/** Creates the language service of an editor, by the API of TypeScript until version 6. */
export const createService = (
  ts: typeof typescript,
  options: typescript.CompilerOptions,
  { path, version, read }: Program,
): typescript.LanguageService =>
  ts.createLanguageService({
    getScriptFileNames: () => [path],
    getScriptVersion: (file) => (file === path ? version() : "1"),
    getScriptSnapshot: (file) => {
      const content = file === path ? read() : ts.sys.readFile(file);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });

const readByService = (ts: typeof typescript, path: string, text: string): CheckedProgram => {
  const { options } = ts.convertCompilerOptionsFromJson(settings, root);
  const service = createService(ts, options, { path, version: () => "1", read: () => text });
  const diagnostics = service.getSemanticDiagnostics(path);
  return {
    complaintsIn: (from, to) =>
      diagnostics.flatMap(({ start = 0, length = 0, messageText }) =>
        start < from || start >= to
          ? []
          : {
              underlined: text.slice(start, start + length),
              message: ts.flattenDiagnosticMessageText(messageText, "\n"),
            },
      ),
    completionsAt: (position) =>
      (service.getCompletionsAtPosition(path, position, undefined)?.entries ?? [])
        .map(({ name }) => name)
        .sort(),
    close: () => service.dispose(),
  };
};

const messageOf = ({ text, messageChain = [] }: Diagnostic): string =>
  [text, ...messageChain.map(messageOf)].join("\n");

const require = createRequire(import.meta.url);

/**
 * Starts TypeScript 7, and removes its listeners for our exit, because the tests close it before.
 */
const startCompiler = (cwd: string): API => {
  const listeners = process.listeners("exit");
  const typescript7: typeof import("typescript7/unstable/sync") = require("typescript7/unstable/sync");
  for (const listener of process.listeners("exit")) {
    if (!listeners.includes(listener)) process.removeListener("exit", listener);
  }
  return new typescript7.API({ cwd });
};

/** The API of TypeScript 7, which asks a process of the compiler. */
const readByProcess = (folder: string, path: string, text: string): CheckedProgram => {
  const api = startCompiler(folder);
  const config = join(folder, "tsconfig.json");
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (project === undefined) throw new Error(`TypeScript 7 has not opened ${config}`);
  const diagnostics = project.program.getSemanticDiagnostics(path);
  return {
    complaintsIn: (from, to) =>
      diagnostics
        .filter(({ pos }) => pos >= from && pos < to)
        .map((each) => ({ underlined: text.slice(each.pos, each.end), message: messageOf(each) })),
    completionsAt: (position) =>
      (project.checker.getCompletionsAtPosition(path, position)?.entries ?? [])
        // Version 7 marks the fields that may be left out.
        .map(({ name }) => name.replace(/\?$/, ""))
        .sort(),
    close: () => api.close(),
  };
};

/** Reads a program by an installed compiler. The caller must close it: version 7 is a process. */
export const readProgram = (version: CompilerVersion, text: string): CheckedProgram => {
  mkdirSync(".tmp", { recursive: true });
  const folder = mkdtempSync(resolve(".tmp/mistakes-"));
  const path = join(folder, "program.ts");
  writeFileSync(path, text);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: settings, files: ["program.ts"] }),
  );
  const read =
    version === "7.0"
      ? readByProcess(folder, path, text)
      : readByService(require(compilers[version] ?? ""), path, text);
  return {
    ...read,
    close: () => {
      read.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
