import { refuseOption } from "./rules.ts";

interface MaybeNode {
  process?: { env?: Record<string, string | undefined> };
}

/**
 * Returns an option, or the variable of the environment in its place. Where neither is there, it
 * refuses.
 *
 * @param owner - Function that takes the option
 * @param more - Further words of the refusal
 */
export const orFromEnvironment = <Value>(
  owner: string,
  name: string,
  given: Value,
  variable: string,
  more = "",
): NonNullable<Value> | string => {
  let value: NonNullable<Value> | string | undefined;
  let hint = `pass it to ${owner}, or set ${variable}`;
  try {
    value = given ?? (globalThis as MaybeNode).process?.env?.[variable];
  } catch {
    hint += " (Deno reads it with --allow-env only)";
  }
  return value === undefined || value === ""
    ? refuseOption(`${name} is missing: ${hint}${more}`)
    : value;
};
