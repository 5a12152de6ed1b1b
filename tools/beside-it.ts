import type { Plugin } from "esbuild";

/** Leaves a module in a file of its own, beside the one that imports it. */
export const besideIt = (name: string, ending: "js" | "cjs"): Plugin => ({
  name: "beside-it",
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, ({ kind }) =>
      kind === "entry-point" ? undefined : { path: `./${name}.${ending}`, external: true },
    );
  },
});
