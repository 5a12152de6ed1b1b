import { callIdHeader } from "../../contract/proxy-answers.ts";
import { describeKind, describeValue } from "../errors/text.ts";
import { isObject, type OptionRule, type Refuse } from "./rules.ts";

/** Headers of the connection. The runtime sets them, and refuses or garbles others' values. */
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

/** Allows a record of header texts. Values are never quoted: one may be a secret. */
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
      return refuse(`${label} cannot be sent: its name or value has a character HTTP forbids`);
    }
    checked[name] = text.trim();
  }
  return checked;
};

const entriesOf = (headers: object): [string, unknown][] =>
  headers instanceof Headers ? [...headers] : Object.entries(headers);

/** Whether other services take a header or field of this name for an id of the call. */
export const isIdempotencyKey = (name: string): boolean =>
  /^(x[-_ ]?)?idempotency[-_ ]?key$/i.test(name);

/** Refuses a call id for the service itself, which would ignore it: each call would be paid. */
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
 * `Retry-After`, seconds or a date, in milliseconds; `undefined` when there is none to make
 * sense of. A date is compared with the answer's own `Date`: this machine's clock may be wrong.
 */
export const parseRetryAfter = (headers: Headers): number | undefined => {
  const value = headers.get("retry-after") ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = value.endsWith(" GMT") ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, until - (Date.parse(headers.get("date") ?? "") || Date.now()));
};
