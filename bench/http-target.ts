/**
 * A server to measure, in a process of its own: `mock`, or `bare`, a `node:http` handler that
 * checks the key and sends the bytes that its parent has given it. The process tells its parent
 * the URL and, when asked for "cpu", the microseconds of processor time so far. It ends with its
 * parent.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { startMockServer } from "adgen-sdk/mocks/server";
import { authorization, finishedOptions } from "./workload.ts";

/** Answer of the bare handler to every request with the key. */
export interface BareAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const listenBare = async (): Promise<string> => {
  let answer: Omit<BareAnswer, "body"> = { status: 200, headers: {} };
  let bytes = Buffer.alloc(0);
  process.on("message", (message: BareAnswer | "cpu") => {
    if (message === "cpu") return;
    const { body, ...rest } = message;
    answer = rest;
    bytes = Buffer.from(body);
    process.send?.("ready");
  });
  const respond = (response: ServerResponse): void => {
    response.writeHead(answer.status, answer.headers);
    response.end(bytes);
  };
  const server = createServer((request, response) => {
    if (request.headers.authorization !== authorization) return response.writeHead(401).end();
    if (request.method !== "POST") return respond(response);
    let received = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      received += chunk;
    });
    request.on("end", () => {
      JSON.parse(received);
      respond(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const url =
  process.argv[2] === "mock" ? (await startMockServer(finishedOptions)).url : await listenBare();
process.on("message", (message) => {
  if (message !== "cpu") return;
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on("disconnect", () => process.exit());
process.send?.(url);
