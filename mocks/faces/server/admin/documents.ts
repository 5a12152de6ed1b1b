/**
 * OpenAPI documents that the server answers. From the sources they are read here;
 * `tools/frozen-assets.ts` puts their text into the package. `npm run openapi` writes the files.
 */
import { readFileSync } from "node:fs";

/** Reads a document without its line breaks, which a package need not hold. */
const read = (name: string): string =>
  JSON.stringify(JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")));

/** Document of the service. */
export const serviceDocument: string = read("openapi.json");

/** Document of this admin. */
export const adminDocument: string = read("admin-openapi.json");
