import { parseSupportedActions } from "../../../src/contract/supported-actions.ts";
import type { Assumption } from "../assumptions.ts";
import { isRecord } from "../exchange.ts";
import type { Seen } from "./seen.ts";

/**
 * Words for a difference from an assumption; `true` where the exchange shows that it holds;
 * `undefined` where the exchange says nothing of it.
 */
export type Sight = string | true | undefined;

export type Observer = (seen: Seen) => Sight;

export const quote = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 80);

/** Names in quotes: "`a`, `b`". */
export const names = (fields: readonly string[]): string =>
  fields.length === 0 ? "nothing" : fields.map((field) => `\`${field}\``).join(", ");

export const fieldsOf = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : []);

/** Describes the fields that a thing should have and does not; `true` when it has them all. */
export const lacks = (
  what: string,
  thing: Seen["data"],
  fields: readonly string[],
): string | true => {
  const missing = fields.filter((field) => thing[field] === undefined);
  return missing.length === 0 ? true : `${what} has no ${names(missing)}`;
};

/** Describes the first difference; `true` when there is none and something holds. */
export const firstOf = (...sights: readonly Sight[]): Sight =>
  sights.find((sight) => typeof sight === "string") ?? sights.find((sight) => sight === true);

/** Tells of a request that should be refused with a 400. */
export const refusedWith400 = ({ status }: Seen, what: string): Sight => {
  if (status === 400) return true;
  return status < 300 ? `${what} is taken` : undefined;
};

export const isSuccess = ({ status }: Seen): boolean => status < 300;

/** Observers by the number of their assumption. */
export type Observers = Readonly<Partial<Record<Assumption, Observer>>>;

export const isUnsupported = ({ error }: Seen): boolean =>
  typeof error === "string" && parseSupportedActions(error) !== undefined;
