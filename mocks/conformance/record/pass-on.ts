import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Question, Reply } from "../exchange.ts";

/** Headers that speak of one connection, not of the request or answer on it. */
const ofTheConnection = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding"],
  ...["upgrade", "host", "expect"],
]);

/** Leaves out the headers of the connection; repeated ones stay as they are. */
const endToEnd = ({ rawHeaders }: IncomingMessage): string[] => {
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!ofTheConnection.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
};

const plainHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
  );

/** Gives all bytes of a body, while others read it, too. */
const textOf = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
};

/**
 * Passes a request on, and its answer back. Node's own request sends it once, whatever happens.
 *
 * @throws Error when there is no whole answer: the client's connection ends then, too
 */
export const passOn = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: URL,
): Promise<{ readonly question: Question; readonly reply: Reply }> => {
  const { method = "GET", url: target = "/" } = incoming;
  const sent = await textOf(incoming);
  // Only whole requests are passed on. What is compared must be readable.
  const headers = [...endToEnd(incoming), "accept-encoding", "identity", "host", to.host];
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = to.protocol === "https:" ? httpsRequest : httpRequest;
    const base = to.pathname.replace(/\/+$/, "");
    const onward = send({
      protocol: to.protocol,
      hostname: to.hostname.replace(/^\[|\]$/g, ""),
      port: to.port,
      method,
      path: base + target,
      headers,
    });
    outgoing.on("close", () => onward.destroy());
    onward.on("response", resolve).on("error", reject).end(sent);
  });
  const body = await textOf(answer);
  outgoing.writeHead(answer.statusCode ?? 502, endToEnd(answer)).end(body);
  const question = {
    method,
    path: target,
    headers: plainHeaders(incoming),
    ...(sent !== "" && { body: sent }),
  };
  const reply = { status: answer.statusCode ?? 502, headers: plainHeaders(answer), body };
  return { question, reply };
};
