import {
  cut,
  drip,
  failure,
  hangUp,
  raw,
  reset,
  silence,
  stallBody,
  stallHeaders,
  success,
} from "./answers.ts";
import type { Answer } from "./http-server.ts";

/** A fault of a service, and the end of a call that meets it once. */
export interface ServiceFault {
  readonly name: string;
  readonly answer: Answer;
  /** Fields of the error when the call is not repeated. */
  readonly error: {
    readonly code: string;
    readonly status?: number;
    readonly retryAfterMs?: number;
  };
  /** A read is sent again after it. */
  readonly isRepeated?: true;
  /** The call ends by the client's own time. */
  readonly isSlow?: true;
}

const serverError = (status: number) => ({ code: "server_error", status });
const unexpected = (status: number) => ({ code: "unexpected_status", status });

/**
 * Lists the faults after which a write may have been carried out: its outcome is `unknown`.
 *
 * @param status - the status of the endpoint's success
 */
export const lossesOf = (status: 200 | 201 | 202): readonly ServiceFault[] => {
  const redirect = raw(302, "", { location: "/login" });
  const connection = { code: "connection" };
  const timeout = { code: "timeout" };
  const decode = { code: "decode", status };
  return [
    { name: "a reset connection", answer: reset, error: connection, isRepeated: true },
    { name: "a closed connection", answer: hangUp, error: connection, isRepeated: true },
    {
      name: "a body that is cut off",
      answer: cut(status),
      error: { ...connection, status },
      isRepeated: true,
    },
    { name: "silence", answer: silence, error: timeout, isRepeated: true, isSlow: true },
    {
      name: "headers that stop midway",
      answer: stallHeaders,
      error: timeout,
      isRepeated: true,
      isSlow: true,
    },
    {
      name: "a body that stops midway",
      answer: stallBody(status),
      error: { ...timeout, status },
      isRepeated: true,
      isSlow: true,
    },
    {
      name: "a body that drips for ever",
      answer: drip(status),
      error: { ...timeout, status },
      isRepeated: true,
      isSlow: true,
    },
    { name: "HTML", answer: raw(status, "<html>"), error: decode },
    { name: "no body", answer: raw(status), error: decode },
    { name: "data without fields", answer: success({}, status), error: decode },
    { name: "a list instead of an object", answer: success([], status), error: decode },
    { name: "JSON that is no envelope", answer: raw(status, '{"status":"queued"}'), error: decode },
    { name: "JSON that is no object", answer: raw(status, '"queued"'), error: decode },
    {
      name: "a failure with the status of success",
      answer: failure(status),
      error: unexpected(status),
    },
    { name: "a 204", answer: raw(204), error: { code: "decode", status: 204 } },
    { name: "a redirect", answer: redirect, error: unexpected(302) },
    { name: "a 408", answer: failure(408), error: unexpected(408), isRepeated: true },
    { name: "a 409", answer: failure(409), error: unexpected(409) },
    { name: "a 425", answer: failure(425), error: unexpected(425) },
    { name: "a 500", answer: failure(500), error: serverError(500), isRepeated: true },
    {
      name: "a 502 from a proxy",
      answer: raw(502, "<html>Bad Gateway"),
      error: serverError(502),
      isRepeated: true,
    },
    { name: "a 503", answer: failure(503), error: serverError(503), isRepeated: true },
    {
      name: "a 503 that asks for a repetition at once",
      answer: failure(503, "busy", { "retry-after": "0" }),
      error: { ...serverError(503), retryAfterMs: 0 },
      isRepeated: true,
    },
    { name: "a 503 that is cut off", answer: cut(503), error: serverError(503), isRepeated: true },
    { name: "a 504", answer: failure(504), error: serverError(504), isRepeated: true },
    {
      name: "a 504 from a proxy",
      answer: raw(504, "<h1>Gateway Timeout</h1>"),
      error: serverError(504),
      isRepeated: true,
    },
  ];
};

const rateLimited = { code: "rate_limited", status: 429 };

/** Answers after which a write was not carried out: its outcome is `refused`. */
export const refusals: readonly ServiceFault[] = [
  { name: "a 400", answer: failure(400), error: { code: "bad_request", status: 400 } },
  { name: "a 401", answer: failure(401), error: { code: "unauthorized", status: 401 } },
  { name: "a 402", answer: failure(402), error: { code: "payment_required", status: 402 } },
  { name: "a 404", answer: failure(404), error: { code: "not_found", status: 404 } },
  { name: "a 429", answer: failure(429), error: rateLimited, isRepeated: true },
  {
    name: "a 429 that asks for a repetition at once",
    answer: failure(429, "slow down", { "retry-after": "0" }),
    error: { ...rateLimited, retryAfterMs: 0 },
    isRepeated: true,
  },
  {
    name: "a 429 that asks for a repetition soon",
    answer: failure(429, "slow down", { "retry-after": "0.02" }),
    error: rateLimited,
    isRepeated: true,
  },
  {
    name: "a 429 in HTML",
    answer: raw(429, "<html>", { "retry-after": "0" }),
    error: { ...rateLimited, retryAfterMs: 0 },
    isRepeated: true,
  },
  {
    name: "a 429 that asks for a repetition in an hour",
    answer: failure(429, "slow down", { "retry-after": "3600" }),
    error: { ...rateLimited, retryAfterMs: 3_600_000 },
  },
];

/** Makes the rows of a table of tests: the name, the answer and the error. */
export const rowsOf = (
  faults: readonly ServiceFault[],
): [name: string, answer: Answer, error: ServiceFault["error"]][] =>
  faults.map(({ name, answer, error }) => [name, answer, error]);
