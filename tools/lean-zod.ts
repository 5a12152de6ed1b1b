import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

const registration = `(_a = globalThis).__zod_globalRegistry ?? (_a.__zod_globalRegistry = registry());
export const globalRegistry = globalThis.__zod_globalRegistry;`;

/** The same value, by a call that a bundler may leave out. */
const pureRegistration = `const findRegistry = () => (globalThis.__zod_globalRegistry ??= registry());
export const globalRegistry = /* @__PURE__ */ findRegistry();`;

/** Lets a bundler drop zod's registry from the client: the mock's descriptions alone use it. */
export const leanZod = (): Plugin => ({
  name: "lean-zod",
  setup({ onLoad }) {
    const filter = /[\\/]zod[\\/]v4[\\/]core[\\/]registries\.js$/;
    onLoad({ filter }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      if (source.includes(registration)) {
        return { contents: source.replace(registration, pureRegistration) };
      }
      return { errors: [{ text: "zod registers otherwise now: see tools/lean-zod.ts" }] };
    });
  },
});
