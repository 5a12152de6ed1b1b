import { type Engine, openHosted } from "./engine.ts";

export const vercel: Engine = {
  name: "Vercel's Workflow",
  packages: { workflow: "4.8.9", "@types/node": "24.19.2" },
  program: "vercel.ts",
  file: "workflows/ads.ts",
  types: "--types node",
  runs: {
    "npx workflow build": /./,
    // What it writes is CommonJS, and the folder's files are ES modules.
    "echo '{}' > .well-known/package.json": /^$/,
  },
  open: (place) => {
    const settings = { WORKFLOW_TARGET_WORLD: "local", WORKFLOW_LOCAL_DATA_DIR: place.state };
    return openHosted("workflow.mjs", { ...place, env: { ...place.env, ...settings } });
  },
  afterDoubt: { reason: /exceeded max retries/i },
};
