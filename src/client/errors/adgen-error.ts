/*
 * Errors: the classes, codes and fields of what the client throws, and the words of its messages.
 * This folder imports the contract and `src/client/internal`.
 */

import type { ErrorCode, ErrorFields, ShownFacts } from "./error-fields.ts";

/** The mark on the errors of every copy of the package. */
const mark = Symbol.for("adgen-sdk.error");

/** Whether `value` is an error of this library, from any copy of the package. */
export const hasErrorMark = (value: unknown): boolean =>
  typeof value === "object" && value !== null && mark in value;

/** Fields that no printer may show: a job is large, and may echo the API key. */
const facts = new WeakMap<object, ErrorFields>();

/** Names an error class as the built-in ones are named, by a property that is not enumerable. */
export const nameClass = ({ prototype }: { readonly prototype: Error }, value: string): void => {
  Object.defineProperty(prototype, "name", { value, configurable: true, writable: true });
};

// No error class may name itself in its body, because esbuild would then rename the class in every
// log.

/**
 * Base class of the errors that this library throws. `instanceof` knows the errors of its own copy
 * of the package, and `isAdGenError` knows the errors of every copy.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: addFields writes what is known
export class AdGenError extends Error {
  /** Code of the failure, from a closed list: switch on this. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, fields: ErrorFields = {}) {
    const { cause, ...others } = fields;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    addFields(this, others);
  }

  /** Job as last received. Logs and `JSON.stringify` leave it out. */
  get lastJob(): Readonly<Record<string, unknown>> | undefined {
    return facts.get(this)?.lastJob;
  }

  /** Body as received, where it was JSON. Logs and `JSON.stringify` leave it out. */
  get received(): unknown {
    return facts.get(this)?.received;
  }

  /**
   * The `error` of the service's envelope, without the API key. The service writes it for
   * developers; choose your words for visitors by `code`. In logs it is part of `message`.
   */
  get serviceMessage(): string | undefined {
    return facts.get(this)?.serviceMessage;
  }

  /** Returns a small, stable form for logs, without job, cause and stack. */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    return { name, message, ...(this as object) };
  }

  static {
    nameClass(this, "AdGenError");
    Object.defineProperty(this.prototype, mark, { value: true });
  }
}

export interface AdGenError extends ShownFacts {}

interface StackCapture {
  readonly captureStackTrace?: (error: object, above: unknown) => void;
}

/**
 * Captures the error's stack again where it is thrown. When it was created, all ten frames were the
 * library's own, and none was the caller's.
 *
 * @param entry - The library's function that the caller called; the stack begins at that call
 */
export const showCaller = <E>(error: E, entry?: unknown): E => {
  if (hasErrorMark(error)) {
    (Error as StackCapture).captureStackTrace?.(Object(error), entry ?? showCaller);
  }
  return error;
};

/** Adds facts to an error, and skips those that are undefined. */
export const addFields = <E extends AdGenError>(
  error: E,
  fields: Omit<ErrorFields, "cause">,
): E => {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  facts.set(error, { ...facts.get(error), ...Object.fromEntries(known) });
  const { lastJob, received, serviceMessage, doubt, ...shown }: ErrorFields =
    Object.fromEntries(known);
  if (doubt !== undefined) Object.defineProperty(error, "doubt", { value: doubt, writable: true });
  return Object.assign(error, shown);
};
