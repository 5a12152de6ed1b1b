/** Writes the OpenAPI document of the contract: `node tools/openapi.ts <file>`. */
import { readFileSync, writeFileSync } from "node:fs";
import { generateOpenApi } from "./openapi/document.ts";

const [fileName] = process.argv.slice(2);
if (fileName === undefined)
  throw new Error("Say which file to write: node tools/openapi.ts <file>");
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
writeFileSync(fileName, `${JSON.stringify(generateOpenApi(version), null, 2)}\n`);
