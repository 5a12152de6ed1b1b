interface MaybeNode {
  process?: { env?: Record<string, string | undefined> };
}

/** Reads a variable of the environment. `hint` tells the reader of a refusal about it. */
export const readEnvironment = (name: string): { value: string | undefined; hint: string } => {
  const hint = `pass it to createClient, or set ${name}`;
  try {
    return { value: (globalThis as MaybeNode).process?.env?.[name] || undefined, hint };
  } catch {
    return { value: undefined, hint: `${hint} (Deno reads it with --allow-env only)` };
  }
};
