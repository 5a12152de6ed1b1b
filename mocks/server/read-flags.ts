import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { findNear } from "../options/near-name.ts";

/**
 * Reads the flags of a command.
 *
 * @param commands - Names of commands, to suggest one for a misspelt argument
 * @throws TypeError when a flag is unknown or lacks its value; it suggests a flag for a misspelt one
 */
export const readFlags = <const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  commands: readonly string[] = [],
) => {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const [, kind, hyphens = "", given = ""] =
      /^(Unknown option|Unexpected argument) '(-{0,2})([^'\s]+)/.exec(
        String(Object(error).message),
      ) ?? [];
    if (kind === undefined) throw error;
    const isFlag = kind === "Unknown option";
    const near = findNear(given, isFlag ? Object.keys(options) : commands);
    const hint = near === undefined ? "" : `; did you mean ${isFlag ? "--" : ""}${near}?`;
    throw new TypeError(`There is no ${isFlag ? "flag" : "command"} ${hyphens}${given}${hint}`);
  }
};
