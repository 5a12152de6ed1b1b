/** Users of the package: files of the folder `consumers`, which compilers check and Node runs. */

import { runProcess } from "../helpers/run-process.ts";
import type { Packed } from "./pack.ts";

interface Consumer {
  /** Installations in which the consumer runs; they differ in the packages beside this one. */
  readonly at: readonly Exclude<keyof Packed, "tarball" | "files">[];
  /** What its function `use` returns, as an ES module and as CommonJS. */
  readonly prints?: string;
  /** Each compiler checks the consumer. */
  readonly isForAll?: true;
}

const alone = { at: ["plain"], isForAll: true } as const;

export const consumers: Readonly<Record<string, Consumer>> = {
  client: { ...alone, prints: "queued, completed, queued" },
  files: { ...alone, prints: "1,-1.svg,.svg,image/svg+xml,<svg/>,invalid_request" },
  assumed: { ...alone, prints: "1080,5,string,Acme,red,true" },
  submissions: { ...alone, prints: "completed,true" },
  proxy: { ...alone, prints: "completed,not_found,config" },
  server: { ...alone, prints: "completed,1,1,2,image/svg+xml,200,true" },
  browser: {
    at: ["withMsw", "plain"],
    prints: "setupMockWorker was called outside a browser",
  },
  msw: { at: ["withMsw", "withMsw2"], prints: "completed, 1" },
  schemas: {
    at: ["withSchemas"],
    prints: "zod,zod/mini,valibot,arktype",
  },
  bullmq: {
    at: ["withBullmq"],
    prints: "config: createProcessor needs a client",
  },
};

/** Path of a consumer's file. */
export const consumerFile = (name: string): string => `test/packaging/consumers/${name}.ts`;

/** Environment without npm's and vitest's variables. All processes share Node's compile cache. */
const env = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
};

/** Runs this Node on a script, in a folder, with nothing of npm or vitest in its environment. */
export const runNode = async (folder: string, args: readonly string[]) => {
  const { status, stdout, stderr } = await runProcess([process.execPath, ...args], {
    cwd: folder,
    env,
  });
  return { status, stdout, stderr };
};
