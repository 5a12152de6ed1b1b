import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { runNode } from "./run.ts";

const { plain, withBullmq, withMsw, withMsw2 } = inject("packed");

/** Kinds of a consumer's modules: they get the declarations for `import`, and for `require`. */
const kinds = { esm: "module", cjs: "commonjs" } as const;
type Kind = keyof typeof kinds;

/** Ways for a consumer to resolve the package. Node's take both kinds of modules at once. */
const ways = {
  bundler: { module: "esnext", kinds: ["esm"] },
  node16: { module: "node16", kinds: ["esm", "cjs"] },
  nodenext: { module: "nodenext", kinds: ["esm", "cjs"] },
} as const satisfies Record<string, { module: string; kinds: readonly Kind[] }>;
type Way = keyof typeof ways;

/** Gives the compiler's messages about a consumer's files; empty when they fit. */
const typeCheck = async (
  consumer: string,
  compiler: string,
  way: Way,
  files: readonly string[],
  skipLibCheck = false,
): Promise<string> => {
  const project = mkdtempSync(join(consumer, `${compiler}-${way}-`));
  for (const kind of ways[way].kinds) {
    mkdirSync(join(project, kind));
    writeFileSync(join(project, kind, "package.json"), JSON.stringify({ type: kinds[kind] }));
    for (const file of files) copyFileSync(join("test/packaging", file), join(project, kind, file));
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
    // TypeScript's own files need no check. They take a sixth of the time.
    skipDefaultLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const tsc = resolve("node_modules", compiler, "bin/tsc");
  const { status, stdout, stderr } = await runNode(project, [tsc, "--project", "."]);
  return status === 0 ? "" : stdout + stderr;
};

const uses = ["client", "assumed", "files", "submissions", "server", "proxy"].map(
  (name) => `use-${name}.ts`,
);
const withMswToo = [...uses, "use-msw.ts"];

describe.concurrent("type-checks", () => {
  // Each way is held by at least one compiler, and each compiler sees both kinds of modules.
  test.each([
    ["typescript59", "nodenext"],
    ["typescript", "node16"],
    ["typescript7", "nodenext"],
    ["typescript7", "bundler"],
  ] as const)("with %s and %s", async (compiler, way) => {
    expect(await typeCheck(withMsw, compiler, way, withMswToo)).toBe("");
  });

  test("where msw is not installed", async () => {
    expect(await typeCheck(plain, "typescript7", "nodenext", uses)).toBe("");
  });

  // BullMQ's own types need those of Node.
  test("for a fleet", async () => {
    const files = ["use-bullmq.ts"];
    expect(await typeCheck(withBullmq, "typescript7", "nodenext", files, true)).toBe("");
  });

  test("with the oldest msw", async () => {
    const files = ["use-client.ts", "use-msw.ts", "use-server.ts"];
    expect(await typeCheck(withMsw2, "typescript7", "nodenext", files)).toBe("");
  });

  test("for a browser", async () => {
    expect(await typeCheck(withMsw, "typescript7", "bundler", ["use-browser.ts"])).toBe("");
  });
});

test("the types of the client open no file of the mock's", async () => {
  const entries = ["", "/assumed", "/files", "/submissions", "/submissions/file", "/proxy"];
  const project = mkdtempSync(join(plain, "listed-"));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  const lines = entries.map((entry) => `import "adgen-sdk${entry}";`);
  writeFileSync(join(project, "use.ts"), lines.join("\n"));
  const tsc = resolve("node_modules", "typescript7", "bin/tsc");
  const flags = ["--noEmit", "--module", "nodenext", "--target", "es2022", "--types", "node"];
  const listing = [...flags, "--skipLibCheck", "--listFilesOnly", "use.ts"];
  const { stdout } = await runNode(project, [tsc, ...listing]);
  const opened = stdout.split("\n").filter((file) => file.includes("/adgen-sdk/"));
  expect(opened.some((file) => file.endsWith("/dist/index.d.ts"))).toBe(true);
  expect(opened.some((file) => file.endsWith("/dist/proxy.d.ts"))).toBe(true);
  expect(opened.filter((file) => /mock|msw/.test(file.split("/adgen-sdk/")[1] ?? ""))).toEqual([]);
});
