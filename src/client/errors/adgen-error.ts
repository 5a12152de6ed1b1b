import type { ErrorCode, ErrorFields, ShownFacts } from "./error-fields.ts";

/** Marks the errors of every copy of the package. */
const mark = Symbol.for("adgen-sdk.error");

/** Whether `value` is an error of this library, of whichever copy of it. */
export const hasErrorMark = (value: unknown): boolean =>
  typeof value === "object" && value !== null && mark in value;

/** Facts of errors. No printer may show some of them: a job is large, and may echo the key. */
const facts = new WeakMap<object, ErrorFields>();

/** Names a class of errors. A plain assignment fails where a program has frozen `Error.prototype`. */
export const nameClass = ({ prototype }: { readonly prototype: Error }, value: string): void => {
  Object.defineProperty(prototype, "name", { value, configurable: true, writable: true });
};

// No class of this family names itself in its body: esbuild would rename it in every log.

/**
 * Base class of the errors that this library throws. `instanceof` knows those of its own copy of the
 * package, `isAdGenError` those of every copy.
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
   * What the service itself said, the `error` of its envelope, without the key. It is written for
   * developers: tell visitors of a page by `code` instead. Logs have it in `message`.
   */
  get serviceMessage(): string | undefined {
    return facts.get(this)?.serviceMessage;
  }

  /** A small, stable form for logs: no job, no cause, no stack. */
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
 * Captures an error's stack again, where it is thrown. The stack of its creation holds ten frames of
 * the library, and none of the caller.
 *
 * @param entry - Function under way that the caller has called: the stack begins with its caller
 */
export const showCaller = <E>(error: E, entry?: unknown): E => {
  if (hasErrorMark(error)) {
    (Error as StackCapture).captureStackTrace?.(Object(error), entry ?? showCaller);
  }
  return error;
};

/** Adds facts, also those that became known later; what is undefined is left alone. */
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
