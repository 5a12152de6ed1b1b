import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "./engine.ts";
import { openHosted } from "./hosted.ts";

export const vercel: Engine = {
  name: "Vercel's Workflow",
  packages: { workflow: "4.8.9" },
  files: { "vercel.ts": "workflows/ads.ts" },
  types: ["node"],
  async prepare(folder) {
    const args = [join("node_modules", "workflow", "bin", "run.js"), "build"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`workflow build failed: ${stdout}${stderr}`);
    // What it writes is CommonJS, and the folder's files are ES modules.
    writeFileSync(join(folder, ".well-known/package.json"), '{"type":"commonjs"}');
  },
  open: (place) => {
    const settings = { WORKFLOW_TARGET_WORLD: "local", WORKFLOW_LOCAL_DATA_DIR: place.state };
    return openHosted("workflow.mjs", { ...place, env: { ...place.env, ...settings } });
  },
  afterDoubt: { reason: /exceeded max retries/i },
};
