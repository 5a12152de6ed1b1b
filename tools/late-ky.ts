import type { Plugin } from "esbuild";

const firstUse = `
  let ky;
  export default (...input) => (ky ??= require("ky").default)(...input);`;

/**
 * Runs ky's modules at the first request, and not when the client is loaded. They make a
 * `TextEncoder` and a `Request`. Jest's jsdom has neither, and pages are tested there that import
 * the client and send nothing.
 */
export const lateKy = (): Plugin => ({
  name: "late-ky",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^ky$/ }, ({ kind }) =>
      kind === "import-statement" ? { path: "ky", namespace: "late" } : undefined,
    );
    onLoad({ filter: /^ky$/, namespace: "late" }, () => ({
      contents: firstUse,
      resolveDir: process.cwd(),
    }));
  },
});
