import { refuseOption } from "./rules.ts";

interface MaybeNode {
  process?: { env?: Record<string, string | undefined> };
}

/** Reads a variable of the environment; `undefined` where it must not be read. */
export const variableOf = (name: string): { readonly value: string | undefined } | undefined => {
  try {
    return { value: (globalThis as MaybeNode).process?.env?.[name] };
  } catch {
    // Deno asks its user before it shows a variable.
    return undefined;
  }
};

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
  // An option that is there leaves the variable unread, and Deno's user unasked.
  const found = given == null ? variableOf(variable) : { value: given };
  const value = found?.value;
  if (value !== undefined && value !== "") return value;
  const hint = found === undefined ? " (Deno reads it with --allow-env only)" : "";
  return refuseOption(`${name} is missing: pass it to ${owner}, or set ${variable}${hint}${more}`);
};
