/** Gives a property a value, whatever kind of property it is: happy-dom's `fetch` has a getter. */
const define = <Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  value: Owner[Name],
): void => {
  const { enumerable = true } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  Object.defineProperty(owner, name, { value, enumerable, writable: true, configurable: true });
};

/** A function in a property's place. */
interface Replaced {
  /** Puts the old one back, unless another function stands there. Tells whether the old one does. */
  readonly undo: () => boolean;
  /** Tells whether no other function stands there. */
  readonly isInFront: () => boolean;
}

/** Puts a function in a property's place. */
export const replace = <Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  make: (before: Owner[Name]) => Owner[Name],
): Replaced => {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  const before = owner[name];
  const after = make(before);
  define(owner, name, after);
  const isInFront = (): boolean => owner[name] === after;
  const undo = (): boolean => {
    if (isInFront()) {
      if (descriptor === undefined) delete owner[name];
      else Object.defineProperty(owner, name, descriptor);
    }
    return owner[name] === before;
  };
  return { undo, isInFront };
};
