import { bundleWorker } from "../in-terminals.ts";
import { type Engine, openHosted } from "./engine.ts";

export const cloudflare: Engine = {
  name: "Cloudflare Workflows",
  packages: {
    miniflare: "4.20260730.0",
    "@cloudflare/workers-types": "5.20261117.1",
    esbuild: "0.28.2",
  },
  program: "cloudflare.ts",
  types: "--lib es2024 --types @cloudflare/workers-types",
  runs: { [bundleWorker("cloudflare.ts")]: /^$/ },
  open: (place) => openHosted("cloudflare.mjs", place),
  afterDoubt: { reason: /may have been paid/ },
};
