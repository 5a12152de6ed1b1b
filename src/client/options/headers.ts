import { callIdHeader } from "../../contract/proxy-answers.ts";
import { describeKind, describeValue } from "../errors/text.ts";
import { isObject, type OptionRule, type Refuse } from "./rules.ts";

/** Headers of the connection. The runtime sets them itself, and refuses or garbles other values. */
const connectionHeaders = [
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Allows a record of header texts. Refusals never quote a value, because it may be a secret. */
export const headerRecord: OptionRule<Readonly<Record<string, string>>> = (
  value,
  option,
  refuse,
) => {
  if (!isObject(value)) {
    return refuse(`${option} must be an object of texts, got ${describeValue(value)}`);
  }
  const checked: Record<string, string> = {};
  for (const [given, text] of entriesOf(value)) {
    if (text === undefined) continue;
    const label = `${option} ${describeValue(given)}`;
    const name = given.toLowerCase();
    if (name === "authorization") {
      return refuse(`${option} must not hold Authorization: use apiKey`);
    }
    if (connectionHeaders.includes(name)) {
      return refuse(`${label} cannot be set: the runtime sets the connection's headers`);
    }
    if (typeof text !== "string") {
      return refuse(`${label} must be text, got ${describeKind(text)}`);
    }
    try {
      new Headers([[given, text]]);
    } catch {
      return refuse(`${label} cannot be sent: its name or value has a character that HTTP forbids`);
    }
    checked[name] = text.trim();
  }
  return checked;
};

const entriesOf = (headers: object): [string, unknown][] =>
  headers instanceof Headers ? [...headers] : Object.entries(headers);

/** Whether other services use a header or field of this name as an idempotency key. */
export const isIdempotencyKey = (name: string): boolean =>
  /^(x[-_ ]?)?idempotency[-_ ]?key$/i.test(name);

/**
 * Refuses an idempotency key to the service itself, which would ignore it and charge for every
 * repeat.
 */
export const refuseCallId = (headers: Readonly<Record<string, string>>, refuse: Refuse): void => {
  const name = Object.keys(headers).find(isIdempotencyKey);
  if (name === undefined) return;
  const shown = name === callIdHeader ? "Idempotency-Key" : name;
  refuse(
    `headers must not hold ${shown}: the service knows no idempotency keys, so use once, ` +
      'as in submit(request, { once: "order-17" }). For a proxy that reads it, set callIds: true',
  );
};

/**
 * Parses `Retry-After`, seconds or a date, into milliseconds. Returns `undefined` if it is missing
 * or makes no sense. A date is compared with the response's own `Date`, because this machine's
 * clock may be wrong.
 */
export const parseRetryAfter = (headers: Headers): number | undefined => {
  const value = headers.get("retry-after") ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = value.endsWith(" GMT") ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, until - (Date.parse(headers.get("date") ?? "") || Date.now()));
};
