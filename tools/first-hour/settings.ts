import { engines } from "./engines/kill-engines.ts";
import { inBrowsers } from "./in-browsers.ts";
import { inTerminals } from "./in-terminals.ts";
import { installs } from "./installs.ts";
import { nextExample } from "./next/example.ts";
import { newestRunners, olderRunners } from "./runners.ts";
import type { Setting } from "./setting.ts";

/** The table, in parts: all that is tried with the packed package. */
export const parts: Readonly<Record<string, readonly Setting[]>> = {
  "first hour": [...inTerminals, ...inBrowsers],
  "first hour, runners": newestRunners,
  "older runners": olderRunners,
  installs,
  engines,
  "next.js example": [nextExample],
};
