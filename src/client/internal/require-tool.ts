/** A package that the user installs beside this one. npm doesn't check its version. */
interface Tool {
  readonly name: string;
  /** Lowest version that works, such as "2.14". */
  readonly lowest: string;
  /** Command that installs it, without a version. */
  readonly install: string;
}

/**
 * Reads the version of an installed package. Returns `undefined` where that is impossible, as in a
 * browser.
 */
const readVersion = (name: string): string | undefined => {
  try {
    const { createRequire } = process.getBuiltinModule("node:module");
    return createRequire(import.meta.url)(`${name}/package.json`).version;
  } catch {
    return undefined;
  }
};

/**
 * Checks the version of a tool.
 *
 * @param user - The part of the package that needs the tool, such as "adgen-sdk/bullmq"
 * @param fits - Whether the tool fits if its version can't be read
 * @throws Error that names both versions, when the tool is too old
 */
export const requireTool = (user: string, { name, lowest, install }: Tool, fits: boolean): void => {
  const found = readVersion(name);
  const isNewEnough =
    found === undefined ? fits : found.localeCompare(lowest, "en", { numeric: true }) >= 0;
  if (isNewEnough) return;
  // Another major version may not suit the rest of the project.
  const [major = ""] = lowest.split(".");
  const wanted = found?.startsWith(`${major}.`) ? major : "latest";
  throw new Error(
    `${user} needs ${name} ${lowest} or newer, found ${found ?? "an older one"}: ${install}@${wanted}`,
  );
};
