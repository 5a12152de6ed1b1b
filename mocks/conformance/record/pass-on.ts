import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Question, Reply } from "../exchange.ts";

/** Headers that speak of one connection, not of the request or answer on it. */
const ofTheConnection = [
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding"],
  ...["upgrade", "host", "expect", "accept-encoding", "content-length"],
];

/** Leaves out the headers of the connection; repeated ones stay as they are. */
const endToEnd = ({ rawHeaders, headers }: IncomingMessage): string[] => {
  const named = (headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    const isOfTheConnection = [...named, ...ofTheConnection].includes(name.toLowerCase());
    if (!isOfTheConnection) kept.push(name, value);
  }
  return kept;
};

/** Gives the path of a request, also of one that names the whole address. */
export const pathOf = ({ url = "/" }: IncomingMessage): string =>
  url.startsWith("/") ? url : /^[^:]*:\/\/[^/?]*(.*)$/.exec(url)?.[1] || "/";

const plainHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
  );

const bytesOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** A request as it is passed on, and its answer. */
export interface Passed {
  readonly question: Question;
  readonly reply: Reply;
}

/**
 * Passes a request on, and its answer back. Node's own request sends it once, whatever happens. It
 * goes on when the client leaves: the answer may name a paid job.
 *
 * @throws Error when there is no whole answer
 */
export const passOn = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: URL,
): Promise<Passed> => {
  const { method = "GET" } = incoming;
  const target = pathOf(incoming);
  // Only whole requests are passed on.
  const sent = await bytesOf(incoming);
  // The answers that are compared must be readable.
  const headers = [...endToEnd(incoming), "accept-encoding", "identity", "host", to.host];
  // A body without its length would be read as the next request.
  if (sent.length > 0 || "content-length" in incoming.headers) {
    headers.push("content-length", String(sent.length));
  }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = to.protocol === "https:" ? httpsRequest : httpRequest;
    const onward = send({
      protocol: to.protocol,
      hostname: to.hostname.replace(/^\[|\]$/g, ""),
      port: to.port,
      method,
      path: to.pathname.replace(/\/+$/, "") + target,
      headers,
    });
    onward
      .on("response", resolve)
      .on("error", reject)
      .on("upgrade", (_, socket) => {
        socket.destroy();
        reject(new Error("the service has changed the protocol"));
      })
      .on("close", () => reject(new Error("the connection was closed")))
      .end(sent);
  });
  const received = await bytesOf(answer);
  const status = answer.statusCode ?? 502;
  const { "content-length": length } = answer.headers;
  const size = method === "HEAD" ? length : String(received.length);
  const framed =
    size === undefined || status === 204 || status === 304 ? [] : ["content-length", size];
  outgoing.writeHead(status, [...endToEnd(answer), ...framed]).end(received);
  return {
    question: {
      method,
      path: target,
      headers: plainHeaders(incoming),
      ...(sent.length > 0 && { body: sent.toString() }),
    },
    reply: { status, headers: plainHeaders(answer), body: received.toString() },
  };
};
