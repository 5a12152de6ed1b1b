/** Writes the OpenAPI document of the service: `node tools/openapi.ts <folder>`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateOpenApi } from "./openapi/document.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error("Say which folder to write to: node tools/openapi.ts <folder>");
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const document = JSON.stringify(generateOpenApi(version), null, 2);
writeFileSync(join(folder, "openapi.json"), `${document}\n`);
