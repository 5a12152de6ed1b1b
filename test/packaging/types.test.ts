import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { olderTypeScript } from "../../tools/runtimes.ts";
import { consumerFile, consumers, runNode } from "./consumers.ts";

const { plain, withBullmq, withMsw, withMsw2 } = inject("packed");

/** Kinds of a consumer's modules. They get the declarations for `import` or for `require`. */
const kinds = { esm: "module", cjs: "commonjs" } as const;
type Kind = keyof typeof kinds;

/** Ways to resolve the package. Node's ways accept both kinds of modules in one project. */
const ways = {
  bundler: { module: "esnext", kinds: ["esm"] },
  node16: { module: "node16", kinds: ["esm", "cjs"] },
  nodenext: { module: "nodenext", kinds: ["esm", "cjs"] },
} as const satisfies Record<string, { module: string; kinds: readonly Kind[] }>;
type Way = keyof typeof ways;

const compilers = {
  typescript54: olderTypeScript("typescript54"),
  typescript59: olderTypeScript("typescript59"),
  typescript: "node_modules/typescript/lib/typescript.js",
  typescript7: "node_modules/typescript7/bin/tsc",
} as const;
type Compiler = keyof typeof compilers;

/**
 * Checks the files of consumers and of this package by the API of an older compiler. Only the
 * newest compiler checks the declarations of msw, which saves three quarters of the time.
 */
const checkOwnFiles = `
  const ts = require(process.argv[1]);
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, ".");
  const program = ts.createProgram(fileNames, options);
  const isOurs = ({ fileName }) => /\\/node_modules\\/adgen-sdk\\/dist\\//.test(fileName);
  const declarations = program.getSourceFiles().filter(isOurs);
  if (declarations.length === 0) throw new Error("No declaration of adgen-sdk was loaded");
  const files = [...declarations, ...fileNames.map((name) => program.getSourceFile(name))];
  const diagnostics = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => program.getSyntacticDiagnostics(file)),
    ...files.flatMap((file) => program.getSemanticDiagnostics(file)),
  ];
  const host = ts.createCompilerHost(options);
  process.stdout.write(ts.formatDiagnostics(diagnostics, host));
`;

/** Returns the compiler's messages about consumers; the text is empty if the types fit. */
const typeCheck = async (
  place: string,
  compiler: Compiler,
  way: Way,
  names: readonly string[],
  skipLibCheck = false,
): Promise<string> => {
  const project = mkdtempSync(join(place, `${compiler}-${way}-`));
  for (const kind of ways[way].kinds) {
    mkdirSync(join(project, kind));
    writeFileSync(join(project, kind, "package.json"), JSON.stringify({ type: kinds[kind] }));
    for (const name of names) copyFileSync(consumerFile(name), join(project, kind, `${name}.ts`));
  }
  const compilerOptions = {
    module: ways[way].module,
    moduleResolution: way,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck,
    // TypeScript's own files need no check, which would take a sixth of the time.
    skipDefaultLibCheck: true,
    // A library that exports our types without annotations needs a name for each of them.
    declaration: true,
    noEmit: true,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const path = resolve(compilers[compiler] ?? "");
  const args =
    compiler === "typescript7"
      ? [path, "--singleThreaded", "--project", "."]
      : ["--input-type=commonjs", "--eval", checkOwnFiles, path];
  const { status, stdout, stderr } = await runNode(project, args);
  return status === 0 ? stdout : stdout + stderr;
};

const forAll = Object.keys(consumers).filter((name) => consumers[name]?.checked === "by all");

describe.concurrent("type-checks", () => {
  /** Whether to skip a compiler that is not installed. In CI its tests run, and fail. */
  const isMissing = (compiler: Compiler): boolean =>
    compilers[compiler] === undefined && !process.env["CI"];

  // At least one compiler plays each way, and each compiler sees both kinds of modules.
  test.for([
    ["typescript59", "nodenext", ["msw"]],
    ["typescript", "node16", ["msw"]],
    ["typescript7", "nodenext", ["msw"]],
    ["typescript7", "bundler", ["msw", "browser"]],
  ] as const)(
    "the types fit %s with the resolution %s",
    async ([compiler, way, names], { skip }) => {
      skip(isMissing(compiler), "npm ci --prefix tools/other-runtimes");
      expect(await typeCheck(withMsw, compiler, way, [...forAll, ...names])).toBe("");
    },
  );

  // msw's own types need TypeScript 5.9.
  test.skipIf(isMissing("typescript54"))(
    "the types fit TypeScript 5.4, in an app without msw",
    async () => {
      expect(await typeCheck(plain, "typescript54", "nodenext", forAll)).toBe("");
    },
  );

  test("the types fit the oldest msw", async () => {
    const names = ["client", "msw", "server"];
    expect(await typeCheck(withMsw2, "typescript7", "nodenext", names)).toBe("");
  });

  test("the types fit BullMQ, whose own types need those of Node", async () => {
    expect(await typeCheck(withBullmq, "typescript7", "nodenext", ["bullmq"], true)).toBe("");
  });
});
