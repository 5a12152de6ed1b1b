import type { OutgoingHttpHeaders } from "node:http";
import type { Answer } from "./http-server.ts";

/** Answers with exactly these bytes. */
export const answerWithText =
  (status: number, body: string | Buffer = "", headers: OutgoingHttpHeaders = {}): Answer =>
  (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

const json = { "content-type": "application/json" };

/** Answers with a success in its envelope. */
export const success = (data: unknown, status = 200, headers: OutgoingHttpHeaders = {}): Answer =>
  answerWithText(status, JSON.stringify({ success: true, data, error: null }), {
    ...json,
    ...headers,
  });

/** Answers with a failure in its envelope. */
export const failure = (
  status: number,
  error: unknown = "no",
  headers: OutgoingHttpHeaders = {},
): Answer =>
  answerWithText(status, JSON.stringify({ success: false, data: null, error }), {
    ...json,
    ...headers,
  });

/** Answer to a submission. */
export const queued = (jobId = "job-1"): Answer =>
  success({ job_id: jobId, status: "queued" }, 202);

/** Resets the connection once the request has arrived. */
export const resetConnection: Answer = (response) => {
  response.socket?.resetAndDestroy();
};

/** Closes the connection in good order, without an answer. */
export const hangUp: Answer = (response) => {
  response.socket?.end();
};

/** Never says anything. */
export const silence: Answer = () => {};

/** Stops in the middle of the headers. */
export const stallHeaders: Answer = (response) => {
  response.socket?.write("HTTP/1.1 200 OK\r\nContent-Type: app");
};

/** Sends the headers and the beginning of a body, and then nothing more. */
export const stallBody =
  (status = 200): Answer =>
  (response) => {
    response.writeHead(status, { ...json, "content-length": 1000 });
    response.write('{"success":');
  };

/** Sends a byte each 20 ms, for ever. */
export const dripBody =
  (status = 200): Answer =>
  (response) => {
    response.writeHead(status, json);
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  };

/** Breaks the connection in the middle of the body. */
export const cutBody =
  (status = 200, text = '{"success":true,"data":'): Answer =>
  (response) => {
    response.writeHead(status, { ...json, "content-length": 1000 });
    response.write(text, () => response.socket?.destroy());
  };
