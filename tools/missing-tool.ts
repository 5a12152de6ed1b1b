import { readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * An entry that cannot be loaded without a package of its user's. Node's own error would name a chunk
 * of `dist`, and no remedy.
 */
const entry = "mocks/node";
const tool = "msw";
const install = "npm install --save-dev msw";

const explain = `
const explain = (error) => {
  const isMissing = /MODULE_NOT_FOUND$/.test(error?.code) && /'${tool}['/]/.test(error.message);
  if (!isMissing) return error;
  return new Error("adgen-sdk/${entry} needs ${tool}, which is not installed: ${install}", {
    cause: error,
  });
};
`;

const file = entry.slice(entry.lastIndexOf("/") + 1);
const inner = `${file}-with-${tool}`;

/** The names that an ES module of ours exports, as a list: the bundler writes them at its end. */
const exportsOf = (text: string): string => {
  const [, names] = /export \{([^}]*)\};\s*$/.exec(text) ?? [];
  if (names === undefined) throw new Error(`dist/${entry}.js lists no exports at its end`);
  return names.trim().split(/,\s*/).join(", ");
};

/** Puts a file before the entry, for each kind of modules, that says what to install. */
export const sayWhatToInstall = (): void => {
  const path = `dist/${entry}`;
  const names = exportsOf(readFileSync(`${path}.js`, "utf8"));
  for (const ending of ["js", "cjs"])
    renameSync(`${path}.${ending}`, `dist/mocks/${inner}.${ending}`);
  writeFileSync(
    `${path}.js`,
    `${explain.trimStart()}
const { ${names} } = await import("./${inner}.js").catch((error) => {
  throw explain(error);
});
export { ${names} };
`,
  );
  writeFileSync(
    `${path}.cjs`,
    `"use strict";
${explain}
try {
  module.exports = require("./${inner}.cjs");
} catch (error) {
  throw explain(error);
}
`,
  );
};
