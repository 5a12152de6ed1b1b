import { type Action, isAction } from "../../../../src/contract/actions.ts";
import { type EndpointName, endpoints } from "../../../../src/contract/endpoint.ts";
import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { type AdminRoute, Refusal } from "./admin-route.ts";

/** Fields by name, from a body or a query. */
export type Fields = Readonly<Record<string, unknown>>;

const refuse = (field: string, expected: string): never => {
  throw new Refusal(400, `${field}: expected ${expected}`);
};

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The body as an object. Anything but `application/json` is refused: a page of another origin
 * cannot send that without asking first. No body needs no type.
 */
export const readBody = async (request: Request, { fields }: AdminRoute): Promise<Fields> => {
  const text = await request.text();
  const type = request.headers.get("content-type") ?? "";
  if (text !== "" && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal(415, "content-type: expected application/json");
  }
  let body: unknown = {};
  try {
    if (text !== "") body = JSON.parse(text);
  } catch {
    return refuse("body", "valid JSON");
  }
  if (!isObject(body)) return refuse("body", "a JSON object");
  const unknownField = fields && Object.keys(body).find((name) => !fields.includes(name));
  if (unknownField !== undefined) {
    refuse(unknownField, `one of ${fields?.join(", ") || "no fields"}`);
  }
  return body;
};

export const textOf = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : refuse(name, "a string");
};

/** Zero or more, and not more than `most`. */
export const wholeNumberOf = (fields: Fields, name: string, most: number): number | undefined => {
  const value = fields[name];
  if (value === undefined) return undefined;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0 && Number(number) <= most
    ? Number(number)
    : refuse(name, `a whole number, 0 to ${most}`);
};

/** A number for which JSON may say `null` or "Infinity" when it has no end. */
export const endlessNumberOf = (fields: Fields, name: string): number | undefined => {
  const value = fields[name];
  if (value === undefined || typeof value === "number") return value;
  return value === null || value === "Infinity"
    ? Number.POSITIVE_INFINITY
    : refuse(name, 'a number, or null or "Infinity" for no end');
};

export const actionOf = (fields: Fields, name = "action"): Action | undefined => {
  const value = fields[name];
  return value === undefined || isAction(value) ? value : refuse(name, "one of the nine actions");
};

const isOperation = (value: unknown): value is EndpointName =>
  typeof value === "string" && Object.hasOwn(endpoints, value);

export const operationOf = (
  fields: Fields,
  name = "operation",
): EndpointName | EndpointName[] | undefined => {
  const value = fields[name];
  if (value === undefined || isOperation(value)) return value;
  return Array.isArray(value) && value.every(isOperation)
    ? value
    : refuse(name, `one or more of ${Object.keys(endpoints).join(", ")}`);
};

/** The account of a key that stands in the path. */
export const accountAt = (service: MockService, key: string | undefined): MockAccount => {
  try {
    return service.account(key ?? "");
  } catch {
    throw new Refusal(404, "No account with this key");
  }
};

/** The key of a field, when there is such an account. */
export const keyOf = (
  service: MockService,
  fields: Fields,
  name = "account",
): string | undefined => {
  const key = textOf(fields, name);
  if (key === undefined) return undefined;
  try {
    return service.account(key).key;
  } catch {
    return refuse(name, "the key of an account");
  }
};

/** Milliseconds since 1970, written as such or as an ISO time. */
export const timeOf = (fields: Fields, name: string): number | undefined => {
  const value = fields[name];
  if (value === undefined) return undefined;
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && Number.isFinite(time)
    ? time
    : refuse(name, "milliseconds since 1970, or a time such as 2026-01-31T12:00:00Z");
};

/** What is given and what is not, without keys that hold `undefined`. */
export const given = <Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } =>
  Object.fromEntries(
    Object.entries(value).filter(([, content]) => content !== undefined),
  ) as ReturnType<typeof given<Value>>;
