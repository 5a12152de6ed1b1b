/** Users of the package: each is a file of the folder `consumers`, which compilers check and Node runs. */
import type { Packed } from "./pack.ts";

interface Consumer {
  /** Where it is installed: what it needs beside the package. */
  readonly at: readonly Exclude<keyof Packed, "tarball" | "files">[];
  /** What its function `use` returns, as an ES module and as CommonJS. */
  readonly prints?: string;
  /** Who uses it is checked by every compiler, or by the newest one; not its packages where they fail. */
  readonly checked: "by all" | "by one" | "without packages" | "never";
}

const alone = { at: ["plain"], checked: "by all" } as const;

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
    checked: "by one",
  },
  msw: { at: ["withMsw", "withMsw2"], prints: "completed, 1", checked: "by one" },
  schemas: {
    at: ["withSchemas"],
    prints: "zod,zod/mini,valibot,arktype",
    checked: "never",
  },
  bullmq: {
    at: ["withBullmq"],
    prints: "config: createProcessor needs a client",
    checked: "without packages",
  },
};

/** Path of a consumer's file. */
export const consumerFile = (name: string): string => `test/packaging/consumers/${name}.ts`;
