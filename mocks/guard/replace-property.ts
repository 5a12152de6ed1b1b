/** Sets a property, even if it has a getter, as happy-dom's `fetch` has. */
const define = <Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  value: Owner[Name],
): void => {
  const { enumerable = true } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  Object.defineProperty(owner, name, { value, enumerable, writable: true, configurable: true });
};

/** A property whose value was replaced. */
export interface Replaced {
  /** Restores the old value, unless other code has replaced the new one. Returns whether the old value is back. */
  readonly undo: () => boolean;
  /** Returns whether the new value is still in place. */
  readonly isInFront: () => boolean;
  /** Sets the new value again, after other code has replaced it. */
  readonly redo: () => void;
}

/** Replaces the value of a property by one that is made from the old value. */
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
