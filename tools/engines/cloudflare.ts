import { join } from "node:path";
import { build } from "esbuild";
import type { Engine } from "./engine.ts";
import { openHosted } from "./hosted.ts";

export const cloudflare: Engine = {
  name: "Cloudflare Workflows",
  packages: { miniflare: "4.20260730.0", "@cloudflare/workers-types": "5.20261117.1" },
  files: { "cloudflare.ts": "cloudflare.ts" },
  types: ["@cloudflare/workers-types"],
  prepare: (folder) =>
    build({
      entryPoints: [join(folder, "cloudflare.ts")],
      outfile: join(folder, "cloudflare.js"),
      bundle: true,
      format: "esm",
      conditions: ["workerd", "worker", "browser"],
      external: ["cloudflare:*"],
      // Or the package's own sources would go into the worker.
      tsconfigRaw: {},
    }),
  open: (place) => openHosted("cloudflare.mjs", place),
  afterDoubt: { reason: /may have been paid/ },
};
