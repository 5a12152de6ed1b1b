import { build } from "esbuild";

/** Bundles an entry of this folder with the client's sources, as a module. */
export const bundle = async (entry: string, outfile?: string): Promise<string> => {
  const { outputFiles = [] } = await build({
    entryPoints: [`${import.meta.dirname}/${entry}`],
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["import"],
    write: outfile !== undefined,
    ...(outfile !== undefined && { outfile }),
  });
  return outputFiles[0]?.text ?? "";
};
