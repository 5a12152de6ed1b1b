import { runStep } from "../call-time.ts";
import type { Page } from "../contract/page.ts";
import type { DecodeIssue, ErrorFields } from "../errors/error-fields.ts";
import { decodeError, describeIssues } from "../errors/make-error.ts";
import type { Clean } from "../errors/text.ts";
import type { Answer } from "../transport/call.ts";
import { rootCauseOf } from "./failed-fetch.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";

const maxIssues = 10;

const toDecodeIssue = (
  { path = [], message }: StandardIssue,
  prefix: DecodeIssue["path"],
  clean: Clean,
): DecodeIssue => {
  const keys = path.map((part) => {
    const key = typeof part === "object" ? part.key : part;
    return typeof key === "number" ? key : clean(String(key));
  });
  return { path: [...prefix, ...keys], message: clean(String(message)) };
};

/** Checks a part of an answer with the caller's schema, and gives what the schema makes of it. */
export const checkPart = (
  schema: StandardSchema,
  value: unknown,
  path: DecodeIssue["path"],
  { call, fields, clean }: Answer,
): Promise<unknown> => {
  const fail = (why: string, more: ErrorFields) =>
    decodeError(call, "schema", `data that ${why}`, { ...fields, ...more });
  return runStep(call, fields, "was answered, but your schema timed out", async () => {
    let result: StandardResult<unknown>;
    let issues: readonly DecodeIssue[] = [];
    try {
      result = await schema["~standard"].validate(value);
      if (!result.issues) return result.value;
      issues = result.issues.slice(0, maxIssues).map((issue) => toDecodeIssue(issue, path, clean));
    } catch (thrown) {
      const cause = rootCauseOf(thrown, clean);
      throw fail(`your schema failed on: ${cause.message}`, { cause });
    }
    throw fail(`does not fit your schema: ${describeIssues(issues)}`, { issues });
  });
};

/** Checks the thing of an answer, or every item of a list, with the caller's schema. */
export const checkData = async <Data>(
  schema: StandardSchema | undefined,
  answer: Answer<Data>,
): Promise<Data> => {
  const { call, data } = answer;
  const { list } = call.endpoint;
  if (schema === undefined) return data;
  // The types at the client's edge are the schema's own.
  if (list === undefined) return (await checkPart(schema, data, [], answer)) as Data;
  const items: unknown[] = [];
  for (const [index, item] of (data as Page<unknown>).items.entries()) {
    items.push(await checkPart(schema, item, [list, index], answer));
  }
  return { ...data, items };
};
