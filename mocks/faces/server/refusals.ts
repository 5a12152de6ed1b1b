import { type Message, writeFailure, writeTooLarge } from "../../http/message.ts";
import { corsHeaders, preflightHeaders } from "../../http/preflight.ts";
import { type Connection, type FixedHeaders, writeHead } from "./deliver.ts";
import { discardBody } from "./read-body.ts";

const write = (
  connection: Connection,
  { status, headers, body }: Message,
  fixed: FixedHeaders = corsHeaders,
): void => {
  writeHead(connection, status, headers, Buffer.byteLength(body), fixed);
  connection.outgoing.write(body);
};

/** Refuses a request of the server itself, in the API's envelope. */
export const refuse = (
  connection: Connection,
  status: number,
  message: string,
  fixed?: FixedHeaders,
): void => {
  write(connection, writeFailure(status, message), fixed);
  connection.outgoing.end();
};

/** Answers before the rest of the body has come, and ends the connection after it. */
export const refuseTooLarge = (connection: Connection): void => {
  connection.outgoing.shouldKeepAlive = false;
  write(connection, writeTooLarge());
  discardBody(connection.incoming);
};

/** Answers a browser that asks what it may send. */
export const answerPreflight = (connection: Connection): void => {
  const headers = preflightHeaders(connection.incoming.headers);
  writeHead(connection, 204, headers, undefined);
  connection.outgoing.end();
};
