import { type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import { isRecord, refusal, requireKnown, requireNumber } from "../options/require.ts";
import { requireSpan } from "../options/resolve-timeline.ts";
import type { FaultOptions, MockFault } from "./fault.ts";

/** What a runtime's timers can wait for. */
const maxTimerMs = 2_147_483_647;

type Checks = Readonly<Record<string, (option: string, value: unknown) => void>>;

const wholeNumber =
  (min: number, max: number) =>
  (option: string, value: unknown): void =>
    requireNumber(
      option,
      value,
      `a whole number from ${min} to ${max}`,
      (number) => Number.isInteger(number) && number >= min && number <= max,
    );

const boolean = (option: string, value: unknown): void => {
  if (typeof value !== "boolean") throw refusal(option, "true or false");
};

const status = wholeNumber(200, 599);
const bytes = wholeNumber(0, 1_000_000_000);
const atLeastOne = wholeNumber(1, 1_000_000_000);
const milliseconds = wholeNumber(0, maxTimerMs);

/** A face's own: each frames its messages itself. */
const framing = ["connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"];

const headers = (option: string, value: unknown): void => {
  if (!isRecord(value)) throw refusal(option, "an object of texts by header name");
  const framed = Object.keys(value).find((name) => framing.includes(name.toLowerCase()));
  if (framed !== undefined) throw refusal(option, `without "${framed}": each face sends its own`);
  try {
    for (const [name, text] of Object.entries(value)) {
      // `Headers` lets control characters through that Node does not send.
      if (typeof text !== "string" || /[^\t\x20-\x7e\x80-\xff]/.test(text)) {
        throw new TypeError(name);
      }
      new Headers([[name, text]]);
    }
  } catch {
    throw refusal(option, "an object of header names and values that HTTP allows");
  }
};

const jsonOrText = (option: string, value: unknown): void => {
  try {
    if (JSON.stringify(value) !== undefined) return;
  } catch {
    // Not JSON: refused below.
  }
  throw refusal(option, "text or JSON");
};

const fieldsOfKind: Readonly<Record<MockFault["kind"], Checks>> = {
  reset: { accepted: boolean },
  stall: { accepted: boolean },
  refuse: {},
  "stall-body": { afterBytes: bytes },
  "cut-body": { afterBytes: bytes },
  "drip-body": { bytes: atLeastOne, everyMs: milliseconds },
  "wrong-json": {},
  html: { status },
  status: { status, headers, body: jsonOrText, accepted: boolean },
  "rate-limit": { retryAfterMs: milliseconds },
  latency: { ms: (option, value) => void requireSpan(option, value, maxTimerMs) },
};

export const faultKinds: readonly string[] = Object.keys(fieldsOfKind);

const required: Readonly<Record<string, readonly string[]>> = {
  status: ["status"],
  latency: ["ms"],
};

/** Refuses what makes no sense; gives a copy that nobody else holds. */
export const checkFault = (fault: MockFault): MockFault => {
  if (!isRecord(fault)) throw refusal("fault", "an object with a kind");
  if (!faultKinds.includes(fault.kind)) {
    throw refusal("fault.kind", `one of ${faultKinds.join(", ")}`);
  }
  const fields = fieldsOfKind[fault.kind];
  requireKnown("fault", fault, ["kind", ...Object.keys(fields)]);
  for (const [name, check] of Object.entries(fields)) {
    const value = (fault as Record<string, unknown>)[name];
    if (value !== undefined || required[fault.kind]?.includes(name)) check(`fault.${name}`, value);
  }
  const copy: MockFault = JSON.parse(JSON.stringify(fault));
  for (const part of [...Object.values(copy), copy]) Object.freeze(part);
  return copy;
};

/** As many as there are requests, or a whole number, at least one. */
export const checkTimes = (option: string, times: unknown): void => {
  if (times !== Number.POSITIVE_INFINITY) atLeastOne(option, times);
};

export const checkOperation = (option: string, operation: unknown): readonly EndpointName[] => {
  const operations = Array.isArray(operation) ? operation : [operation];
  const unknown = operations.find((name) => !Object.hasOwn(endpoints, name));
  if (unknown === undefined && operations.length > 0) return operations;
  throw refusal(option, `one of ${Object.keys(endpoints).join(", ")}`);
};

export const checkFaultOptions = (options: FaultOptions): FaultOptions => {
  requireKnown("fault options", options, ["times", "operation", "account", "probability"]);
  const { times, operation, account, probability } = options;
  if (times !== undefined) checkTimes("fault's times", times);
  if (operation !== undefined) checkOperation("fault's operation", operation);
  if (account !== undefined && typeof account !== "string") {
    throw refusal("fault's account", "an API key");
  }
  if (probability !== undefined) {
    const isProbability = (value: number): boolean => value >= 0 && value <= 1;
    requireNumber("fault's probability", probability, "a number from 0 to 1", isProbability);
  }
  return { ...options, ...(operation !== undefined && { operation: [operation].flat() }) };
};
