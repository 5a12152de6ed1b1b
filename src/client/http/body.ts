import { isLocalPicture } from "../../contract/jobs.ts";
import { showCaller } from "../errors/adgen-error.ts";
import { isAdGenError } from "../errors/errors.ts";
import { describeValue, oneLine } from "../errors/text.ts";
import { callRules } from "../options/call-options.ts";
import { isIdempotencyKey } from "../options/headers.ts";
import { createRule, isObject, refuseWrite } from "../options/rules.ts";

/** A request body, ready to be sent. */
export interface JsonBody {
  /** A copy of the caller's object. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The copy as JSON. */
  readonly text: string;
}

/** Name of an object's kind: "Object" for plain objects, "Map", "Blob". */
const kindOf = (value: unknown): string =>
  Object.prototype.toString.call(value).slice("[object ".length, -1);

const binaryHint = "is binary: use toDataUrl of adgen-sdk/files, or a URL";

/**
 * Describes why JSON would drop or change a value. Returns `undefined` if JSON writes the value as
 * it is.
 */
const problemOf = (given: unknown, value: unknown, isInList: boolean): string | undefined => {
  const kind = kindOf(given);
  if (ArrayBuffer.isView(given) || ["ArrayBuffer", "Blob", "File"].includes(kind)) {
    return binaryHint;
  }
  if (kind === "Date" && value === null) return "is an invalid date";
  if (value === undefined && given === undefined && !isInList) return undefined;
  if (value === null) return undefined;
  if (typeof value === "object" && !["Object", "Array"].includes(kindOf(value))) {
    return `is of the kind ${kindOf(value)}; send plain objects, lists and texts`;
  }
  return typeof value === "object" ? undefined : `is ${describeValue(value)}`;
};

/** Describes a submission, for messages that refuse one. */
export const requestForm = 'an object such as { action: "generate-ad" }';

/**
 * Writes a request body as JSON, reading every value once. Refuses values that JSON would change.
 *
 * @param form - Describes, for messages, what the body must be
 */
export const writeBody = (body: unknown, name: string, form = "an object"): JsonBody => {
  const check = function (this: Readonly<Record<string, unknown>>, key: string, value: unknown) {
    if (["string", "boolean"].includes(typeof value) || Number.isFinite(value)) return value;
    const isInList = Array.isArray(this);
    const problem = problemOf(this[key], value, isInList);
    const place = isInList ? " of a list" : "";
    if (problem !== undefined) refuseWrite(`${name} cannot be sent: "${key}"${place} ${problem}`);
    return value;
  };
  try {
    const text = JSON.stringify(createRule(form, isObject)(body, name, refuseWrite), check);
    return { fields: JSON.parse(text), text };
  } catch (cause) {
    if (isAdGenError(cause)) throw showCaller(cause);
    return refuseWrite(`${name} cannot be written as JSON: ${oneLine(String(cause))}`, cause);
  }
};

/**
 * Refuses a submission whose `images` hold a path or bare base64. The service would accept the
 * text, and charge for a job without the picture.
 *
 * @param name - Names the request in the refusal
 */
export const refuseLocalPictures = ({ images }: JsonBody["fields"], name: string): void => {
  for (const picture of [images].flat()) {
    if (typeof picture !== "string" || !isLocalPicture(picture)) continue;
    refuseWrite(
      `${name} cannot be sent: images holds ${describeValue(picture)}, which the service cannot ` +
        "read: use toDataUrl of adgen-sdk/files, or a URL",
    );
  }
};

/** Names of the options of a call. They are collected at the first check. */
let optionNames: ReadonlySet<string> | undefined;

/**
 * Refuses a request that holds an option of its call. The service would ignore the option: a `once`
 * in the body doesn't keep a job from being paid twice.
 *
 * @param name - Names the request in the refusal
 */
export const refuseCallOptions = (fields: JsonBody["fields"], name: string): void => {
  optionNames ??= new Set(["once", ...Object.keys(callRules())]);
  for (const field of Object.keys(fields)) {
    if (optionNames.has(field)) {
      refuseWrite(
        `${name} holds "${field}", an option of the call: it belongs in the second argument`,
      );
    }
    if (isIdempotencyKey(field)) {
      refuseWrite(
        `${name} holds "${field}", but the service knows no idempotency keys: pass once, ` +
          "in the second argument",
      );
    }
  }
};
