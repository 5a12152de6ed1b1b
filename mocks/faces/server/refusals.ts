import { failureEnvelope } from "../../../src/contract/envelope.ts";
import { corsHeaders, preflightHeaders } from "../../http/preflight.ts";
import { type Connection, type FixedHeaders, writeHead } from "./deliver.ts";
import { discardBody } from "./read-body.ts";

const writeRefusal = (
  connection: Connection,
  status: number,
  message: string,
  fixed: FixedHeaders = corsHeaders,
): void => {
  const body = JSON.stringify(failureEnvelope(message));
  const headers = { "content-type": "application/json" };
  writeHead(connection, status, headers, Buffer.byteLength(body), fixed);
  connection.outgoing.write(body);
};

/** Refuses a request of the server itself, in the API's envelope. */
export const refuse = (...refusal: Parameters<typeof writeRefusal>): void => {
  writeRefusal(...refusal);
  refusal[0].outgoing.end();
};

/** Answers before the rest of the body has come, and ends the connection after it. */
export const refuseTooLarge = (connection: Connection): void => {
  connection.outgoing.shouldKeepAlive = false;
  writeRefusal(connection, 413, "Request body is too large");
  discardBody(connection.incoming);
};

/** Answers a browser that asks what it may send. */
export const answerPreflight = (connection: Connection): void => {
  const headers = preflightHeaders(connection.incoming.headers);
  writeHead(connection, 204, headers, undefined);
  connection.outgoing.end();
};
