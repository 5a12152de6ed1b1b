/**
 * Puts a function in a property's place. The result puts the old one back, unless another function
 * stands there by then.
 */
export const replace = <Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  make: (before: Owner[Name]) => Owner[Name],
): (() => void) => {
  const before = owner[name];
  const after = make(before);
  owner[name] = after;
  return () => {
    if (owner[name] === after) owner[name] = before;
  };
};
