/** Gives a property a value, whatever kind of property it is: happy-dom's `fetch` has a getter. */
const define = <Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  value: Owner[Name],
): void => {
  const { enumerable = true } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  Object.defineProperty(owner, name, { value, enumerable, writable: true, configurable: true });
};

/**
 * Puts a function in a property's place. The result puts the old one back, unless another function
 * stands there by then.
 */
export const replace = <Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  make: (before: Owner[Name]) => Owner[Name],
): (() => void) => {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  const after = make(owner[name]);
  define(owner, name, after);
  return () => {
    if (owner[name] !== after) return;
    if (descriptor === undefined) delete owner[name];
    else Object.defineProperty(owner, name, descriptor);
  };
};
