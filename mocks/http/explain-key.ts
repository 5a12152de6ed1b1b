import type { World } from "../world/world.ts";

const maxNamed = 3;

const listKeys = (keys: readonly string[]): string => {
  const rest = keys.length - maxNamed;
  const named = keys.slice(0, maxNamed).map((key) => `"${key}"`);
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ") || "no account";
};

/**
 * Explains why a request gets a 401, in words for a person who looks for the mistake. They name
 * keys of the mock, and never the key of the request.
 *
 * @param key - Key of the request, which no account has; `undefined` when it has none
 */
export const explainWrongKey = (
  { accounts }: Pick<World, "accounts">,
  key: string | undefined,
): string =>
  key === undefined
    ? 'the request has no header "Authorization: Bearer <key>"'
    : `no account has the key of the request; the mock has ${listKeys([...accounts.keys()])}`;
