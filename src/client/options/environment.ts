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
 * Reads a variable of the environment; `undefined` where it must not be read. Deno asks the user in the
 * terminal, and waits for the answer, unless the program has the right to read it.
 */
const variableOf = (name: string): { readonly value: string | undefined } | undefined => {
  try {
    return { value: (globalThis as Runtime).process?.env?.[name] };
  } catch {
    return undefined;
  }
};

/** Reads a variable that a program can do without: Deno's user is not asked for it. */
export const optionalVariableOf = (name: string): string | undefined => {
  const right = { name: "env", variable: name };
  const { state } = (globalThis as Runtime).Deno?.permissions.querySync(right) ?? {};
  return state === undefined || state === "granted" ? variableOf(name)?.value : undefined;
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
