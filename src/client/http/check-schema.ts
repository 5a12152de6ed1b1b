import type { Page } from "../../contract/page.ts";
import { showCaller } from "../errors/adgen-error.ts";
import type { DecodeIssue } from "../errors/error-fields.ts";
import { callError, decodeFailure, type Failure, misfitFailure } from "../errors/make-error.ts";
import type { RedactLine } from "../errors/text.ts";
import type { StandardSchema } from "../options/standard-schema.ts";
import type { CheckedResponse } from "./call.ts";
import { elapsedMsOf } from "./call-time.ts";
import type { Decoded } from "./decode.ts";
import { rootCauseOf } from "./failed-fetch.ts";

type Path = DecodeIssue["path"];

/** Number of issues that an error holds at most. */
const maxIssues = 10;

const validate = async (
  schema: StandardSchema,
  value: unknown,
  prefix: Path,
  redactLine: RedactLine,
): Promise<Decoded> => {
  try {
    const result = await schema["~standard"].validate(value);
    if (!result.issues) return { data: result.value };
    const nameOf = (part: PropertyKey | { readonly key: PropertyKey }): string | number => {
      const key = typeof part === "object" ? part.key : part;
      return typeof key === "number" ? key : redactLine(String(key));
    };
    const issues = result.issues.slice(0, maxIssues).map(({ path = [], message }) => ({
      path: [...prefix, ...path.map(nameOf)],
      message: redactLine(String(message)),
    }));
    return misfitFailure("schema", "does not fit your schema", issues);
  } catch (thrown) {
    const cause = rootCauseOf(thrown, redactLine);
    return decodeFailure("schema", `data that your schema failed on: ${cause.message}`, { cause });
  }
};

/** Creates the error of a response that a later step can't use. */
export const responseError = ({ call, fields }: CheckedResponse, failure: Failure): Error =>
  showCaller(callError(call, failure, { ...fields, elapsedMs: elapsedMsOf(call) }));

/** Creates the error of a response whose `job_id` is unusable. */
export const jobIdError = (answer: CheckedResponse, what: string, message: string): Error =>
  responseError(answer, decodeFailure("data", what, { issues: [{ path: ["job_id"], message }] }));

/**
 * Checks a part of a response with the caller's schema, and returns the schema's output.
 *
 * @param consequence - Text to end the message with if the part doesn't fit
 */
export const checkPart = async (
  schema: StandardSchema,
  part: unknown,
  path: Path,
  answer: CheckedResponse,
  consequence = "",
): Promise<unknown> => {
  const decoded = await validate(schema, part, path, answer.redactLine);
  if (decoded.code === undefined) return decoded.data;
  throw responseError(answer, { ...decoded, what: decoded.what + consequence });
};

/** Checks a response's data, or every item of a list, with the caller's schema. */
export const checkData = async <Data>(
  schema: StandardSchema | undefined,
  answer: CheckedResponse<Data>,
): Promise<Data> => {
  const { call, data } = answer;
  const { list } = call.endpoint;
  if (schema === undefined) return data;
  // The client's public types name the schema's output type.
  if (list === undefined) return (await checkPart(schema, data, [], answer)) as Data;
  const { items } = data as Page<unknown>;
  const checked = items.map((item, index) => checkPart(schema, item, [list, index], answer));
  return { ...data, items: await Promise.all(checked) };
};
