import { refuseOption } from "./rules.ts";

interface Runtime {
  readonly process?: { readonly env?: Record<string, string | undefined> };
  readonly Deno?: {
    readonly permissions: {
      readonly querySync: (right: object) => { readonly state: string };
    };
  };
}

/**
 * Reads an environment variable; returns `undefined` where it must not be read. Without the
 * permission to read it, Deno would ask in the terminal and wait for the answer.
 */
const variableOf = (name: string): { readonly value: string | undefined } | undefined => {
  try {
    return { value: (globalThis as Runtime).process?.env?.[name] };
  } catch {
    return undefined;
  }
};

/** Reads an optional variable, without a question of Deno to its user. */
export const optionalVariableOf = (name: string): string | undefined => {
  const right = { name: "env", variable: name };
  const { state } = (globalThis as Runtime).Deno?.permissions.querySync(right) ?? {};
  return state === undefined || state === "granted" ? variableOf(name)?.value : undefined;
};

/**
 * Returns an option, or the environment variable that stands in for it. Refuses if neither is set.
 *
 * @param owner - Function that takes the option
 * @param more - Text to add to the refusal
 */
export const orFromEnvironment = <Value>(
  owner: string,
  name: string,
  given: Value,
  variable: string,
  more = "",
): NonNullable<Value> | string => {
  // Don't read the variable if the option is set, because Deno might ask its user.
  const found = given == null ? variableOf(variable) : { value: given };
  const value = found?.value;
  if (value !== undefined && value !== "") return value;
  const hint = found === undefined ? " (Deno reads it with --allow-env only)" : "";
  return refuseOption(`${name} is missing: pass it to ${owner}, or set ${variable}${hint}${more}`);
};
