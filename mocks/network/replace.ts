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
  /** Puts the old one back, unless another function stands there. Tells whether the old one does. */
  readonly undo: () => boolean;
  /** Tells whether no other function stands there, gates aside. */
  readonly isInFront: () => boolean;
}

/** Key of the function behind a gate. Another copy of this library may have put the gate there. */
const behindKey: unique symbol = Symbol.for("adgen-sdk.behind-gate") as never;

/** Makes a function a gate: it refuses requests, or hands them to the one behind it. */
export const asGate = <Gated extends object>(gate: Gated, behind: unknown): Gated =>
  Object.defineProperty(gate, behindKey, { value: behind });

/** Gives the first function that is no gate, or a certain one that stands before it. */
export const skipGates = (first: unknown, until: unknown): unknown => {
  let front = first;
  while (front !== until && typeof front === "function" && behindKey in front) {
    front = front[behindKey];
  }
  return front;
};

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
  const isInFront = (): boolean => skipGates(owner[name], after) === after;
  const undo = (): boolean => {
    if (owner[name] === after) {
      if (descriptor === undefined) delete owner[name];
      else Object.defineProperty(owner, name, descriptor);
    }
    return owner[name] === before;
  };
  return { undo, isInFront };
};
