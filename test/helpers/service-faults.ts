import {
  answerWithText,
  cutBody,
  dripBody,
  failure,
  hangUp,
  resetConnection,
  silence,
  stallBody,
  stallHeaders,
  success,
} from "./answers.ts";
import type { Answer } from "./http-server.ts";

/** A fault of a service, and how a call ends that meets the fault once. */
export interface ServiceFault {
  readonly name: string;
  readonly answer: Answer;
  /** Fields of the error when the call is not repeated. */
  readonly error: {
    readonly code: string;
    readonly status?: number;
    readonly retryAfterMs?: number;
  };
  /** The client sends a read again after this fault. */
  readonly isRepeated?: true;
  /** Only the client's timeout ends the call. */
  readonly isSlow?: true;
}

type Error = ServiceFault["error"];
type Mark = "isRepeated" | "isSlow";

const fault = (name: string, answer: Answer, error: Error, ...marks: Mark[]): ServiceFault => ({
  ...{ name, answer, error },
  ...Object.fromEntries(marks.map((mark) => [mark, true])),
});

/** Creates a fault that is a failure with this status. After some statuses a read is sent again. */
const failed = (status: number, name: string, answer: Answer = failure(status)): ServiceFault => {
  const code = status < 500 ? "unexpected_status" : "server_error";
  const marks: Mark[] = status >= 500 || status === 408 ? ["isRepeated"] : [];
  return fault(name, answer, { code, status }, ...marks);
};

/**
 * Lists the faults after which a write may have been carried out: its outcome is `unknown`.
 *
 * @param status - the status of the endpoint's success
 */
export const lossesOf = (status: 200 | 201 | 202): readonly ServiceFault[] => {
  const connection = { code: "connection" };
  const timeout = { code: "timeout" };
  const decode = { code: "decode", status };
  const slow = ["isRepeated", "isSlow"] as const;
  const busy = failure(503, "busy", { "retry-after": "0" });
  const atOnce = { code: "server_error", status: 503, retryAfterMs: 0 };
  return [
    fault("a reset connection", resetConnection, connection, "isRepeated"),
    fault("a closed connection", hangUp, connection, "isRepeated"),
    fault("a body that is cut off", cutBody(status), { ...connection, status }, "isRepeated"),
    fault("silence", silence, timeout, ...slow),
    fault("headers that stop midway", stallHeaders, timeout, ...slow),
    fault("a body that stops midway", stallBody(status), { ...timeout, status }, ...slow),
    fault("a body that drips for ever", dripBody(status), { ...timeout, status }, ...slow),
    fault("HTML", answerWithText(status, "<html>"), decode),
    fault("no body", answerWithText(status), decode),
    fault("data without fields", success({}, status), decode),
    fault("a list instead of an object", success([], status), decode),
    fault("JSON that is no envelope", answerWithText(status, '{"status":"queued"}'), decode),
    fault("JSON that is no object", answerWithText(status, '"queued"'), decode),
    fault("a failure with the status of success", failure(status), {
      code: "unexpected_status",
      status,
    }),
    fault("a 204", answerWithText(204), { code: "decode", status: 204 }),
    failed(302, "a redirect", answerWithText(302, "", { location: "/login" })),
    failed(408, "a 408"),
    failed(409, "a 409"),
    failed(425, "a 425"),
    failed(500, "a 500"),
    failed(502, "a 502 from a proxy", answerWithText(502, "<html>Bad Gateway")),
    failed(503, "a 503"),
    fault("a 503 that asks for a repetition at once", busy, atOnce, "isRepeated"),
    failed(503, "a 503 that is cut off", cutBody(503)),
    failed(504, "a 504"),
    failed(504, "a 504 from a proxy", answerWithText(504, "<h1>Gateway Timeout</h1>")),
  ];
};

const rateLimited = { code: "rate_limited", status: 429 };
const slowDown = (after: string) => failure(429, "slow down", { "retry-after": after });
const inHtml = answerWithText(429, "<html>", { "retry-after": "0" });
const atOnce = { ...rateLimited, retryAfterMs: 0 };

/** Answers after which a write was not carried out: its outcome is `refused`. */
export const refusals: readonly ServiceFault[] = [
  fault("a 400", failure(400), { code: "bad_request", status: 400 }),
  fault("a 401", failure(401), { code: "unauthorized", status: 401 }),
  fault("a 402", failure(402), { code: "payment_required", status: 402 }),
  fault("a 404", failure(404), { code: "not_found", status: 404 }),
  fault("a 429", failure(429), rateLimited, "isRepeated"),
  fault("a 429 that asks for a repetition at once", slowDown("0"), atOnce, "isRepeated"),
  fault("a 429 that asks for a repetition soon", slowDown("0.02"), rateLimited, "isRepeated"),
  fault("a 429 in HTML", inHtml, atOnce, "isRepeated"),
  fault("a 429 that asks for a repetition in an hour", slowDown("3600"), {
    ...rateLimited,
    retryAfterMs: 3_600_000,
  }),
];

/** Makes the rows of a table of tests: each has the name, the answer and the error of a fault. */
export const rowsOf = (
  faults: readonly ServiceFault[],
): [name: string, answer: Answer, error: ServiceFault["error"]][] =>
  faults.map(({ name, answer, error }) => [name, answer, error]);
