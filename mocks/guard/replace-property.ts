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
export interface Replaced {
  /** Puts the old function back, unless another one stands there. Returns whether it is back. */
  readonly undo: () => boolean;
  /** Returns whether no other function has taken the place. */
  readonly isInFront: () => boolean;
  /** Puts the new function back, where another one has taken its place. */
  readonly redo: () => void;
}

/** Puts a function in a property's place. */
export const replaceProperty = <Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  make: (before: Owner[Name]) => Owner[Name],
): Replaced => {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  const before = owner[name];
  const after = make(before);
  define(owner, name, after);
  const undo = (): boolean => {
    if (owner[name] === after) {
      if (descriptor === undefined) delete owner[name];
      else Object.defineProperty(owner, name, descriptor);
    }
    return owner[name] === before;
  };
  return {
    undo,
    isInFront: () => owner[name] === after,
    redo: () => define(owner, name, after),
  };
};
