import type { EndpointName } from "../../../src/contract/endpoint.ts";
import type { StandardSchema } from "../../../src/options/standard-schema.ts";
import { match } from "../../http/match.ts";
import { type Assumption, assumptions } from "../assumptions.ts";
import { type Answer, isRecord } from "../exchange.ts";

/** Why something is expected: an assumption, or a section of the API's document. */
export type Rule = Assumption | `${number}. ${string}`;

/** Whether a rule stands in the API's document. */
export const isDocumented = (rule: Rule): boolean => !(rule in assumptions);

/** Whose key a request carries: "wrong" is nobody's, "odd" means that the step brings its header. */
export type KeyName = "first" | "second" | "poor" | "wrong" | "odd";

export interface Expectation {
  readonly rule: Rule;
  /** The expectation in words, to be read after "expected". */
  readonly says: string;
  /** Whether an answer says anything of it. @default every answer does */
  about?(answer: Answer): boolean;
  holds(answer: Answer): boolean;
  /** Describes what was there instead. */
  shows(answer: Answer): string;
}

export interface Step {
  readonly name: string;
  readonly method: string;
  /** Below the base URL; `{brand}` stands for what an earlier step remembered as "brand". */
  readonly path: string;
  /** Which call it is; none for a path that the API's document does not have. */
  readonly operation: EndpointName | undefined;
  /** JSON, in which "{brand}" stands for what was remembered; or text, sent as it is. */
  readonly body?: object | string;
  /** Sent instead of, or beside, the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default "first" */
  readonly key?: KeyName;
  readonly expects: readonly Expectation[];
  /** Name under which the id in the answer is remembered. */
  readonly remembers?: string;
  /** Makes a job that has to be paid: never asked unless spending is allowed. */
  readonly costs?: true;
  /** Is asked again until the job has finished, or the time for that is over. */
  readonly waits?: boolean;
}

type StepDetail = Omit<Step, "name" | "method" | "path" | "operation" | "expects">;

/** One step of the script: `step("lists jobs", "GET /v1/jobs", [...])`. */
export const step = (
  name: string,
  call: `${string} /${string}`,
  expects: readonly Expectation[],
  detail: StepDetail = {},
): Step => {
  const [method = "", path = ""] = call.split(/ (.*)/s);
  const found = match(method, new URL(path, "https://service.invalid"), undefined);
  const operation = "name" in found ? found.name : undefined;
  return { name, method, path, operation, expects, ...detail };
};

const inJson = (value: unknown): string => JSON.stringify(value) ?? "nothing";

export const status = (expected: number, rule: Rule): Expectation => ({
  rule,
  says: `status ${expected}`,
  holds: ({ status }) => status === expected,
  shows: ({ status }) => String(status),
});

/** Something about the data of a success; a failure is another expectation's business. */
export const data = (
  what: string,
  rule: Rule,
  holds: (data: Answer["data"], memory: Answer["memory"]) => unknown,
  shows = (data: Answer["data"]): unknown => data,
): Expectation => ({
  rule,
  says: what,
  about: ({ status, data }) => status < 400 && isRecord(data),
  holds: ({ data, memory }) => Boolean(holds(data, memory)),
  shows: ({ data }) => inJson(shows(data)),
});

/** A time in each of these fields. */
export const times = (rule: Rule, ...fields: readonly string[]): Expectation => {
  const isTime = (value: unknown): boolean => !Number.isNaN(Date.parse(String(value)));
  return data(
    `a time in ${fields.join(" and ")}`,
    rule,
    (data) => fields.every((field) => isTime(data[field])),
    (data) => Object.fromEntries(fields.map((field) => [field, data[field] ?? null])),
  );
};

export const listIn = (name: string): Expectation =>
  data(`the list in ${name}`, "A4", (data) => Array.isArray(data[name]), Object.keys);

/** Something about the things of a list; that there is a list is the business of `listIn`. */
export const items = (
  name: string,
  what: string,
  holds: (items: Answer["data"][], memory: Answer["memory"]) => unknown,
  rule: Rule = "A4",
): Expectation => ({
  ...data(
    what,
    rule,
    (data, memory) => holds(data[name], memory),
    (data) => data[name],
  ),
  about: ({ status, data }) => status < 400 && Array.isArray(data?.[name]),
});

/** Names the fields that a schema leaves out, because they have another type than assumed. */
const leftOut = (given: unknown, read: unknown, path: string): string[] =>
  isRecord(given) && isRecord(read) && given !== read
    ? Object.entries(given).flatMap(([name, value]) =>
        name in read
          ? leftOut(value, read[name], `${path}${name}.`)
          : `${path}${name}: not ${inJson(value)}`,
      )
    : [];

/**
 * What the package's own schema reads.
 *
 * @param partOf - Gives the part of the data that the schema is for
 */
export const fits = (
  rule: Assumption,
  schema: StandardSchema<unknown, unknown>,
  partOf = (data: Answer["data"]): unknown => data,
): Expectation => {
  const flawsOf = (given: Answer["data"]): string[] => {
    const part = partOf(given);
    const read = schema["~standard"].validate(part);
    if (read instanceof Promise) return [];
    return read.issues
      ? read.issues.map(({ path = [], message }) => `${path.join(".")}: ${message}`)
      : leftOut(part, read.value, "");
  };
  return {
    ...data("what adgen-sdk/assumed reads", rule, (given) => flawsOf(given).length === 0),
    shows: ({ data: given }) =>
      `${flawsOf(given).join(", ")}; there: ${Object.keys(partOf(given) ?? {})}`,
  };
};

/** Something about a header of the answers with this status; others have other headers. */
export const header = (
  name: string,
  what: string,
  rule: Rule,
  expected: number,
  holds: (value: string | undefined) => boolean,
): Expectation => ({
  rule,
  says: `the header ${name}: ${what}`,
  about: ({ status }) => status === expected,
  holds: ({ headers }) => holds(headers[name]),
  shows: ({ headers }) => inJson(headers[name]),
});

/** A refusal: its status, and the mock's words for it. */
export const refused = (
  expected: number,
  rule: Rule,
  message: string,
  ruleOfWords: Rule = "A15",
): Expectation[] => [
  status(expected, rule),
  {
    rule: ruleOfWords,
    says: `the error "${message}"`,
    // A refusal of another kind has other words, of course.
    about: ({ status, error }) => status === expected && typeof error === "string",
    holds: ({ error }) => error === message,
    shows: ({ error }) => inJson(error),
  },
];
