import type { ResourceKind } from "../../contract/endpoint.ts";
import { showCaller } from "../errors/adgen-error.ts";
import { makeError } from "../errors/make-error.ts";
import { describeKind, describeValue } from "../errors/text.ts";
import { maxTimerMs } from "../internal/sleep.ts";

/** Throws an error with this message, which names the option or the field. */
export type Refuse = (message: string, cause?: unknown) => never;

/** Refuses an option of the client: a `ConfigError`. */
export const refuseOption: Refuse = (message) => {
  throw makeError("config", message, { outcome: "not-sent" });
};

/** Refuses an argument of a read or of a wait: an `InvalidRequestError`. */
export const refuseArgument: Refuse = (message, cause) => {
  throw makeError("invalid_request", message, { cause });
};

/** Refuses an argument of a write: an `InvalidRequestError` with the outcome `"not-sent"`. */
export const refuseWrite: Refuse = (message, cause) => {
  throw makeError("invalid_request", message, { cause, outcome: "not-sent" });
};

/** Runs the checks of a public function. The stack of a refusal begins at the function's caller. */
export const checkFor = <Value>(entry: unknown, check: () => Value): Value => {
  try {
    return check();
  } catch (error) {
    throw showCaller(error, entry);
  }
};

/**
 * Checks one given option, and returns the value to use. `name` begins the message of a refusal.
 */
export type OptionRule<Value> = (value: unknown, name: string, refuse: Refuse) => Value;

/** The rules of a set of options, by name. */
export type OptionRules = Readonly<Record<string, OptionRule<unknown>>>;

/** The given options, checked. */
export type Checked<R extends OptionRules> = {
  readonly [Name in keyof R]?: ReturnType<R[Name]> | undefined;
};

/** Whether a value is an object, but not an array or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Creates a rule that allows the values that `isAllowed` accepts. `kind` describes them in
 * refusals.
 */
/* @__NO_SIDE_EFFECTS__ */
export const createRule =
  <Value>(kind: string, isAllowed: (value: unknown) => boolean): OptionRule<Value> =>
  (value, name, refuse) =>
    isAllowed(value)
      ? (value as Value)
      : refuse(`${name} must be ${kind}, got ${describeValue(value)}`);

/** Allows objects. */
export const objectRule = /* @__PURE__ */ createRule<object>("an object", isObject);

/** Allows any value, because it is checked where it is used. */
export const anyRule: OptionRule<unknown> = (value) => value;

/** Allows objects with these methods. `kind` describes them in refusals. */
export const methodsRule = <Value>(
  kind: string,
  ...methods: readonly string[]
): OptionRule<Value> =>
  createRule(kind, (value) =>
    methods.every(
      (name) => typeof (value as Record<string, unknown> | null)?.[name] === "function",
    ),
  );

/** Allows numbers from `min` to `max`; `kind` says what they count. */
/* @__NO_SIDE_EFFECTS__ */
export const numberRule = (
  min: number,
  max: number,
  kind = "a number",
  isOfKind: (value: unknown) => boolean = (value) => typeof value === "number",
): OptionRule<number> => {
  const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  const isInRange = (value: number) => value >= min && value <= max;
  return createRule(`${kind} ${range}`, (value) => isOfKind(value) && isInRange(Number(value)));
};

/** Allows whole numbers from `min` to `max`. */
/* @__NO_SIDE_EFFECTS__ */
export const wholeNumberRule = (min: number, max: number): OptionRule<number> =>
  numberRule(min, max, "a whole number", Number.isInteger);

/**
 * Allows durations in milliseconds that a timer can wait for. With a longer one, it would fire at
 * once.
 */
export const millisecondsRule = (min = 1): OptionRule<number> =>
  numberRule(min, maxTimerMs, "a number of milliseconds");

// biome-ignore lint/suspicious/noExplicitAny: functions of every kind are options
type AnyFunction = (...input: any[]) => any;

/** Allows functions. */
export const functionRule = <F extends AnyFunction>(): OptionRule<F> =>
  createRule("a function", (value) => typeof value === "function");

/** Allows `true` and `false`. */
export const booleanRule = (): OptionRule<boolean> =>
  createRule("true or false", (value) => typeof value === "boolean");

/** Allows texts. */
export const textRule = (): OptionRule<string> =>
  createRule("text", (value) => typeof value === "string");

/** Allows texts that are not empty, of up to `max` characters. */
export const shortTextRule = (max: number): OptionRule<string> =>
  createRule(
    `text of 1 to ${max} characters`,
    (value) => typeof value === "string" && value !== "" && value.length <= max,
  );

/** Allows ids by which a call is made once. */
export const onceIdRule: OptionRule<string> = (...input) => shortTextRule(512)(...input);

/** Allows abort signals. Passing the controller instead of its signal is the usual mistake. */
export const abortSignalRule = (): OptionRule<AbortSignal> =>
  methodsRule("an AbortSignal (of a controller: its signal)", "addEventListener");

/** Allows an object whose own properties follow `rules`. */
export const groupRule =
  <R extends OptionRules>(rules: R): OptionRule<Checked<R>> =>
  (value, name, refuse) =>
    checkOptions(name, rules, value, refuse, {}, `${name}.`);

/** The id by which a call is made once, and how long to wait for another call with that id. */
export interface OnceConfig {
  readonly id: string;
  readonly waitMs?: number | undefined;
}

/** Allows an id by which a call is made once: the text itself, or `{ id, waitMs }`. */
export const onceRule: OptionRule<OnceConfig> = (value, name, refuse) => {
  if (!isObject(value)) return { id: onceIdRule(value, name, refuse) };
  const read = groupRule({ id: onceIdRule, waitMs: millisecondsRule(0) });
  const { id = refuse(`${name} needs an id: { id, waitMs }`), waitMs } = read(value, name, refuse);
  return { id, waitMs };
};

/** Most characters of an id, because error messages and logs quote ids. */
const maxIdLength = 256;

/** Describes what is wrong with an id, by its kind and never by its value. */
export const problemOfId = (id: unknown): string | undefined => {
  if (typeof id !== "string") return `must be a non-empty string, got ${describeKind(id)}`;
  if (id.trim() === "") return "must be a non-empty string, got an empty one";
  if (id.length > maxIdLength) return `has ${id.length} characters, more than ${maxIdLength}`;
  if (/(^|[\\/])\.\.?($|[\\/])/.test(id)) return 'has a part "." or "..", as in a path';
  if (/\p{Cc}/u.test(id)) return "has a line break or another control character";
  if (/\p{Surrogate}/u.test(id)) return "has half of a surrogate pair";
  return undefined;
};

/** Returns a usable id, and `undefined` for any other value. */
export const usableId = (id: unknown): string | undefined =>
  problemOfId(id) === undefined ? (id as string) : undefined;

/** What messages call an id, and where callers find it. */
const idLabels: Readonly<Record<ResourceKind, readonly [name: string, hint: string]>> = {
  job: ["job id", "pass job.job_id or the job"],
  brand: ["brand id", "pass brand.id"],
  ad: ["saved ad id", "pass ad.id"],
};

/** Returns a usable id, and refuses any other with advice on where to find it. */
export const requireId = (kind: ResourceKind, id: unknown, refuse: Refuse): string => {
  const problem = problemOfId(id);
  if (problem === undefined) return id as string;
  const [label, hint] = idLabels[kind];
  // Brands and ads keep their id in this field.
  const isMisnamed = kind === "job" && Object(id).id;
  return refuse(`${label} ${problem}: ${isMisnamed ? "did you mean job_id?" : hint}`);
};

/** Drops underscores and capitals, so that `base_URL` equals `baseUrl`. */
export const normalizeName = (name: string): string => name.replaceAll("_", "").toLowerCase();

/**
 * Finds the option that a wrong name may mean, such as `baseURL`, `defaultHeaders` or `retries`.
 */
const findMeant = (given: string, names: readonly string[]): string | undefined => {
  const word = normalizeName(given);
  if (word.length < 3) return undefined;
  return (
    names.find((name) => normalizeName(name) === word) ??
    names.find((name) => normalizeName(name).includes(word) || word.includes(normalizeName(name)))
  );
};

/**
 * Checks a set of options by its table of rules, and fills in defaults. Refuses unknown names,
 * because most of them are misspelt and would silently have no effect.
 */
export const checkOptions = <
  R extends OptionRules,
  D extends Partial<Checked<R>> = Record<never, never>,
>(
  owner: string,
  rules: R,
  given: unknown,
  refuse: Refuse,
  defaults?: D,
  prefix = "",
): Omit<Checked<R>, keyof D> & Required<D> => {
  const list = () => Object.keys(rules).join(", ");
  if (!isObject(given)) {
    return refuse(`${owner} takes an object: { ${list()} }, got ${describeValue(given)}`);
  }
  const checked: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const meant = findMeant(name, Object.keys(rules));
      const hint = meant === undefined ? `it has ${list() || "none"}` : `did you mean ${meant}?`;
      return refuse(`${owner} has no option ${describeValue(name)}; ${hint}`);
    }
    if (value !== undefined) checked[name] = rule(value, prefix + name, refuse);
  }
  // Each rule has returned its own type.
  return checked as Omit<Checked<R>, keyof D> & Required<D>;
};
