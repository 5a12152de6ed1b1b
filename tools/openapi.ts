/** `node tools/openapi.ts <folder>`: writes the OpenAPI documents of the service and of the admin. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateAdminOpenApi } from "./openapi/admin.ts";
import { generateOpenApi } from "./openapi/document.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error("Say which folder to write to: node tools/openapi.ts <folder>");
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const documents = {
  "openapi.json": generateOpenApi(version),
  "admin-openapi.json": generateAdminOpenApi(version),
};
for (const [name, document] of Object.entries(documents)) {
  writeFileSync(join(folder, name), `${JSON.stringify(document, null, 2)}\n`);
}
