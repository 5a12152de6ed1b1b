import { copyFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { runNode } from "./run.ts";

const { plain, withBullmq, withMsw, withMsw2 } = inject("packed");

interface Setting {
  readonly type: "esm" | "cjs";
  readonly module: string;
  readonly moduleResolution: string;
}

const compilers = ["typescript59", "typescript", "typescript7"];

/** Each is a way for a consumer to resolve the package. */
const settings = [
  { type: "esm", module: "esnext", moduleResolution: "bundler" },
  { type: "esm", module: "nodenext", moduleResolution: "nodenext" },
  { type: "cjs", module: "nodenext", moduleResolution: "nodenext" },
  { type: "cjs", module: "node16", moduleResolution: "node16" },
] as const satisfies readonly Setting[];

/** Gives the compiler's messages about a consumer's files; empty when they fit. */
const typeCheck = async (
  folder: string,
  compiler: string,
  { type, module, moduleResolution }: Setting,
  files: readonly string[],
  skipLibCheck = false,
): Promise<string> => {
  const project = mkdtempSync(join(folder, type, `${compiler}-${module}-`));
  for (const file of files) copyFileSync(join("test/packaging", file), join(project, file));
  const compilerOptions = {
    module,
    moduleResolution,
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
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const tsc = resolve("node_modules", compiler, "bin/tsc");
  const { status, stdout, stderr } = await runNode(project, [tsc, "--project", "."]);
  return status === 0 ? "" : stdout + stderr;
};

const consumers = [
  "consumer.ts",
  "consumer-assumed.ts",
  "consumer-submissions.ts",
  "consumer-msw.ts",
  "consumer-server.ts",
  "consumer-connect.ts",
  "consumer-proxy.ts",
];

describe.concurrent("type-checks", () => {
  // Two ways for each compiler. Each way is held by at least one of them.
  const waysOf = (compiler: string): readonly Setting[] => {
    const [bundler, esm, cjs, node16] = settings;
    return compiler === "typescript" ? [esm, node16] : [bundler, cjs];
  };
  const ways = compilers.flatMap((compiler) =>
    waysOf(compiler).map((setting) => ({ compiler, ...setting })),
  );

  test.each(ways)(
    "as $type with $compiler and $moduleResolution",
    async ({ compiler, ...setting }) => {
      expect(await typeCheck(withMsw, compiler, setting, consumers)).toBe("");
    },
  );

  test("where msw is not installed", async () => {
    const files = consumers.filter((file) => file !== "consumer-msw.ts");
    expect(await typeCheck(plain, "typescript7", settings[1], files)).toBe("");
  });

  // Playwright's own types need those of Node, and take longer to check than all of ours.
  test.each([settings[0], settings[2]])("for Playwright, as $type", async (setting) => {
    const files = ["consumer-playwright.ts"];
    expect(await typeCheck(withMsw, "typescript7", setting, files, true)).toBe("");
  });

  // BullMQ's own types need those of Node.
  test.each([settings[0], settings[2]])("for a fleet, as $type", async (setting) => {
    const files = ["consumer-bullmq.ts"];
    expect(await typeCheck(withBullmq, "typescript7", setting, files, true)).toBe("");
  });

  test.each([settings[0], settings[2]])(
    "with the oldest msw, as $type with $moduleResolution",
    async (setting) => {
      const files = ["consumer.ts", "consumer-msw.ts", "consumer-server.ts"];
      expect(await typeCheck(withMsw2, "typescript7", setting, files)).toBe("");
    },
  );

  test("for a browser", async () => {
    expect(await typeCheck(withMsw, "typescript7", settings[0], ["consumer-browser.ts"])).toBe("");
  });
});
