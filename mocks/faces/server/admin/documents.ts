/**
 * The OpenAPI document that the server answers. From the sources it is read here;
 * `tools/frozen-assets.ts` puts its text into the package. `npm run openapi` writes the file.
 */
import { readFileSync } from "node:fs";

const url = new URL("openapi.json", import.meta.url);

/** The service's document without line breaks, which a package need not hold. */
export const serviceDocument: string = JSON.stringify(JSON.parse(readFileSync(url, "utf8")));
