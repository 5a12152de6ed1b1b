import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { compilers } from "../helpers/compilers.ts";
import { consumerFile, consumers, runNode } from "./consumers.ts";

const packed = inject("packed");

/** Kinds of a consumer's modules. They get the declarations for `import` or for `require`. */
const kinds = { esm: "module", cjs: "commonjs" } as const;
type Kind = keyof typeof kinds;

/** Ways to resolve the package. Node's ways accept both kinds of modules in one project. */
const ways = {
  bundler: { module: "esnext", kinds: ["esm"] },
  node16: { module: "node16", kinds: ["esm", "cjs"] },
  nodenext: { module: "nodenext", kinds: ["esm", "cjs"] },
} as const satisfies Record<string, { module: string; kinds: readonly Kind[] }>;

/** How some consumers are checked. */
interface Check {
  readonly compiler: keyof typeof compilers;
  readonly way: keyof typeof ways;
  /** The app in which they are. */
  readonly app: "plain" | "withMsw" | "withMsw2" | "withBullmq";
  readonly names: readonly string[];
  /** Does not check the declarations of packages, ours included. */
  readonly skipLibCheck?: true;
}

/** Returns the compiler's messages about consumers; the text is empty if the types fit. */
const typeCheck = async (check: Check): Promise<string> => {
  const { compiler, way, app, names, skipLibCheck = false } = check;
  const project = mkdtempSync(join(packed[app], `types-${compiler}-${way}-`));
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
  const flags = compiler === "7.0" ? ["--singleThreaded"] : [];
  const program = resolve(compilers[compiler] ?? "");
  const { status, stdout, stderr } = await runNode(project, [program, ...flags, "--project", "."]);
  return status === 0 ? stdout : stdout + stderr;
};

const forAll = Object.keys(consumers).filter((name) => consumers[name]?.isForAll);
const withMsw = [...forAll, "msw"];

describe.concurrent("type-checks", () => {
  // The types of msw need TypeScript 5.9, and only the newest compiler checks them in little time.
  // The types of BullMQ need those of Node.
  test.for<Check>([
    { compiler: "5.4", way: "nodenext", app: "plain", names: forAll },
    { compiler: "5.9", way: "nodenext", app: "plain", names: forAll },
    { compiler: "5.9", way: "nodenext", app: "withMsw", names: ["msw"], skipLibCheck: true },
    { compiler: "6.0", way: "node16", app: "plain", names: forAll },
    { compiler: "6.0", way: "node16", app: "withMsw", names: ["msw"], skipLibCheck: true },
    { compiler: "7.0", way: "nodenext", app: "withMsw", names: withMsw },
    { compiler: "7.0", way: "bundler", app: "withMsw", names: [...withMsw, "browser"] },
    { compiler: "7.0", way: "nodenext", app: "withMsw2", names: ["client", "msw", "server"] },
    { compiler: "7.0", way: "nodenext", app: "withBullmq", names: ["bullmq"], skipLibCheck: true },
  ])(
    "the types fit TypeScript $compiler, resolved by $way in the app $app",
    async (check, { skip }) => {
      const isMissing = compilers[check.compiler] === undefined && !process.env["CI"];
      skip(isMissing, "npm ci --prefix tools/other-runtimes");
      expect(await typeCheck(check)).toBe("");
    },
  );
});
