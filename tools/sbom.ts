/**
 * Writes a bill of materials (CycloneDX) of the published package. npm's own
 * bill names all devDependencies, but our files contain only the bundled ones.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { bundledPackages } from "./entries.ts";

interface Component {
  readonly "bom-ref": string;
}

const npm = process.env["npm_execpath"];
if (npm === undefined) throw new Error("Run this through npm: npx node tools/sbom.ts");
const command = [npm, "sbom", "--sbom-format=cyclonedx", "--package-lock-only"];
const output = execFileSync(process.execPath, command, { maxBuffer: 64 * 1024 * 1024 });
const { metadata, components, dependencies: _, ...head } = JSON.parse(output.toString());

const { name, version, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const refs = bundledPackages.map((one) => `${one.name}@${devDependencies[one.name]}`);
const inside = refs.map((ref) => {
  const found = components.find((one: Component) => one["bom-ref"] === ref);
  if (found === undefined) throw new Error(`npm sbom does not name ${ref}: run npm ci`);
  // For npm they are devDependencies; for a user of the package they are part of it.
  return { ...found, scope: "required", properties: [] };
});

const bill = {
  ...head,
  metadata: { ...metadata, component: { ...metadata.component, name } },
  components: inside,
  dependencies: [
    { ref: `${name}@${version}`, dependsOn: refs },
    ...refs.map((ref) => ({ ref, dependsOn: [] })),
  ],
};
console.log(JSON.stringify(bill, null, 2));
