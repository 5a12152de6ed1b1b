import { isJobStatus } from "../contract/jobs.ts";
import type { ErrorCode, ErrorFields } from "../errors/error-fields.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { oneLine } from "../errors/text.ts";
import type { ErrorRecord } from "./submission.ts";

/** Writes an error as Redis keeps it: without its stack, its cause and the job. */
export const recordError = (error: unknown): ErrorRecord => {
  if (!isAdGenError(error)) {
    return { code: "unknown", message: oneLine(error instanceof Error ? error.message : "?") };
  }
  const { name, ...fields } = error.toJSON();
  return { ...fields, code: error.code, message: error.message };
};

/** Makes the error again that a worker has met. */
export const reviveError = ({ code, message, ...fields }: ErrorRecord): AnyAdGenError =>
  // The record was written from an error of this library.
  makeError(code as ErrorCode, message, fields as ErrorFields);

/** Describes the last status in a message; an unknown one is foreign text and stays out. */
export const describeStatus = (status: string | undefined): string => {
  if (status === undefined) return "it was never seen";
  return isJobStatus(status)
    ? `last status "${status}"`
    : "its last status is not one that this version knows";
};
