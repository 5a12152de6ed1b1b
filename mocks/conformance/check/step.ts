import type { StandardSchema } from "../../../src/answer/standard-schema.ts";
import type { EndpointName } from "../../../src/contract/endpoint.ts";
import { type Endpoint, endpoints } from "../../../src/contract/endpoint.ts";
import type { Assumption } from "../assumptions.ts";

/** Why something is expected: a section of the API's document, or an assumption. */
export type Rule = { readonly documented: string } | { readonly assumed: Assumption };

/** Whether a rule stands in the API's document. */
export const isDocumented = (rule: Rule): rule is { readonly documented: string } =>
  "documented" in rule;

/** Whose key a request carries: "wrong" is nobody's, "odd" means that the step brings its header. */
export type KeyName = "first" | "second" | "poor" | "wrong" | "odd";

/** One answer, read. */
export interface Answer {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any service are looked into
  readonly data: any;
  readonly error: unknown;
  /** Values that earlier steps have remembered, by name. */
  readonly memory: Readonly<Record<string, string>>;
}

export interface Expectation {
  readonly rule: Rule;
  /** The expectation in words, to be read after "expected". */
  readonly says: string;
  /** Only a service that is known to be the mock is held to it. */
  readonly mockOnly?: true;
  /** Tells whether an answer says anything of it. @default every answer does */
  about?(answer: Answer): boolean;
  holds(answer: Answer): boolean;
  /** Gives the value that was there instead. */
  shows?(answer: Answer): unknown;
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
  /** Values of the answer's data to remember, by name. */
  readonly remembers?: Readonly<Record<string, (data: Answer["data"]) => unknown>>;
  /** Makes a job that has to be paid: never asked unless spending is allowed. */
  readonly costs?: true;
  /** Says nothing about another service than the mock. */
  readonly mockOnly?: true;
  /** Is asked again until this holds, or the time for it is over. */
  readonly until?: (data: Answer["data"]) => boolean;
}

type StepDetail = Omit<Step, "name" | "method" | "path" | "operation" | "expects">;

const segmentsOf = (path: string): string[] => (path.split("?")[0] ?? "").split("/").slice(1);

/** The call that a request is, by the endpoints of the contract. */
export const operationOf = (method: string, path: string): EndpointName | undefined => {
  const segments = segmentsOf(path);
  const found = Object.entries<Endpoint>(endpoints).find(([, endpoint]) => {
    const expected = segmentsOf(endpoint.path);
    return (
      endpoint.method === method &&
      expected.length === segments.length &&
      expected.every((segment, place) =>
        segment === ":id" ? segments[place] !== "" : segment === segments[place],
      )
    );
  });
  return found?.[0] as EndpointName | undefined;
};

/** One step of the script: `step("lists jobs", "GET /v1/jobs", [...])`. */
export const step = (
  name: string,
  call: `${string} /${string}`,
  expects: readonly Expectation[],
  detail: StepDetail = {},
): Step => {
  const [method = "", path = ""] = call.split(/ (.*)/s);
  return { name, method, path, operation: operationOf(method, path), expects, ...detail };
};

export const documented = (section: string): Rule => ({ documented: section });
export const assumed = (assumption: Assumption): Rule => ({ assumed: assumption });

export const status = (expected: number, rule: Rule): Expectation => ({
  rule,
  says: `status ${expected}`,
  holds: ({ status }) => status === expected,
  shows: ({ status }) => status,
});

export const says = (message: string, rule: Rule = assumed("A15")): Expectation => ({
  rule,
  says: `the error "${message}"`,
  // Whether it fails at all is another expectation's business.
  about: ({ status }) => status >= 400,
  holds: ({ error }) => error === message,
  shows: ({ error }) => error,
});

/** Something about the data of a success; a failure is another expectation's business. */
export const data = (
  what: string,
  rule: Rule,
  holds: (data: Answer["data"], memory: Answer["memory"]) => unknown,
): Expectation => ({
  rule,
  says: what,
  about: ({ status }) => status < 400,
  holds: ({ data, memory }) => Boolean(holds(data ?? {}, memory)),
  shows: ({ data }) => data,
});

/**
 * What the package's own schema reads.
 *
 * @param partOf - Gives the part of the data that the schema is for
 */
export const fits = (
  assumption: Assumption,
  schema: StandardSchema<unknown, unknown>,
  partOf: (data: Answer["data"]) => unknown = (data) => data,
): Expectation => {
  const issuesOf = (given: Answer["data"]) => {
    const result = schema["~standard"].validate(partOf(given));
    const issues = result instanceof Promise ? undefined : result.issues;
    return issues?.map(({ path = [], message }) => `${path.join(".")}: ${message}`);
  };
  return {
    ...data("what adgen-sdk/assumed reads", assumed(assumption), (given) => !issuesOf(given)),
    shows: ({ data: given }) => issuesOf(given),
  };
};

export const header = (
  name: string,
  what: string,
  holds: (value: string | undefined) => boolean,
  rule: Rule,
): Expectation => ({
  rule,
  says: `the header ${name}, ${what}`,
  holds: ({ headers }) => holds(headers[name]),
  shows: ({ headers }) => headers[name],
});

/** A refusal: its status, and the mock's words for it. */
export const refused = (expected: number, rule: Rule, message: string): Expectation[] => [
  status(expected, rule),
  says(message),
];
