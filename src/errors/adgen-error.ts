import type { ErrorCode, ErrorFields, Outcome } from "./error-fields.ts";

/** Marks the errors of every copy of the package. */
const mark = Symbol.for("adgen-sdk.error");

/** Tells whether `value` is an error of this library, of whichever copy of it. */
export const hasErrorMark = (value: unknown): boolean =>
  typeof value === "object" && value !== null && mark in value;

/** Facts of errors. No printer may show some of them: a job is large, and may echo the key. */
const facts = new WeakMap<object, ErrorFields>();

const baseName = "AdGenError";

// No class of this family names itself in its body: esbuild would rename it in every log.

/**
 * Base class of the errors that this library throws. `instanceof` and `isAdGenError` also
 * recognise the errors of another copy of the package.
 */
export class AdGenError extends Error {
  /** Code of the failure, from a closed list: switch on this. */
  readonly code: ErrorCode;
  /** HTTP method of the call. */
  declare readonly method?: string;
  /** Path of the call, ids filled in, without base URL and query. */
  declare readonly path?: string;
  /** HTTP status that was received. */
  declare readonly status?: number;
  /** Id that the service gave the request, for its support. */
  declare readonly requestId?: string;
  /** Wait that the service asked for, in milliseconds. */
  declare readonly retryAfterMs?: number;
  /**
   * Content type of an answer that the service cannot have given: a failure outside its envelope,
   * or no JSON. A page of a proxy, most often. Empty where the answer names none.
   */
  declare readonly contentType?: string;
  /** Fate of the write. Errors of reads, of waits, and after an answered submission have none. */
  declare readonly outcome?: Outcome;
  /** Action of the submission that failed: `findLostJobs` compares it. */
  declare readonly action?: string;
  /** Job that the call was about, or that the answer to the submission named. */
  declare readonly jobId?: string;
  /** Time from the start of the call or of the wait to the error, in milliseconds. */
  declare readonly elapsedMs?: number;
  /** Number of attempts: of one call, or of a whole wait. */
  declare readonly attempts?: number;

  constructor(code: ErrorCode, message: string, { cause, ...fields }: ErrorFields = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    addFields(this, fields);
  }

  /** Job as last received. Logs and `JSON.stringify` leave it out. */
  get lastJob(): { readonly [field: string]: unknown } | undefined {
    return facts.get(this)?.lastJob;
  }

  /** Body as received, where it was JSON. Logs and `JSON.stringify` leave it out. */
  get received(): unknown {
    return facts.get(this)?.received;
  }

  /** Gives a small, stable form for logs: no job, no cause, no stack. */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    return { name, message, ...(this as object) };
  }

  /** Compares names too, so that two copies of the package recognise each other's errors. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (super[Symbol.hasInstance](value)) return true;
    // A user's subclass has no name of its own on its prototype: only `instanceof` above holds.
    if (!Object.hasOwn(this.prototype, "name") || !hasErrorMark(value)) return false;
    const { name } = this.prototype;
    return name === baseName || (value as Error).name === name;
  }

  static {
    this.prototype.name = baseName;
    Object.defineProperty(this.prototype, mark, { value: true });
  }
}

interface StackCapture {
  readonly captureStackTrace?: (error: object, above: unknown) => void;
}

/**
 * Makes an error's stack anew, here where it is thrown. The stack of its making holds ten frames
 * of the library, and none of the caller.
 */
export const showCaller = <E>(error: E): E => {
  if (hasErrorMark(error)) (Error as StackCapture).captureStackTrace?.(Object(error), showCaller);
  return error;
};

/** Adds facts, also those that became known later; what is undefined is left alone. */
export const addFields = <E extends AdGenError>(
  error: E,
  fields: Omit<ErrorFields, "cause">,
): E => {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  facts.set(error, { ...facts.get(error), ...Object.fromEntries(known) });
  const { lastJob, received, doubt, ...shown }: ErrorFields = Object.fromEntries(known);
  if (doubt !== undefined) Object.defineProperty(error, "doubt", { value: doubt, writable: true });
  return Object.assign(error, shown);
};
