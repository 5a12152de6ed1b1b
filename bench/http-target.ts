/**
 * A server to be measured, in a process of its own: `mock`, or `bare`, a `node:http` handler that
 * answers what it is sent. Tells its parent where it listens, and ends with it.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startMockServer } from "adgen-sdk/mocks/server";
import { benchOptions } from "./workload.ts";

/** Answer of the bare handler. */
export interface BareAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const listenBare = async (): Promise<string> => {
  let answer: BareAnswer = { status: 200, headers: {}, body: null };
  process.on("message", (message) => {
    answer = message as BareAnswer;
    process.send?.("ready");
  });
  const server = createServer((request, response) => {
    // A handler reads what it is sent: so does the mock.
    let received = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      received += chunk;
    });
    request.on("end", () => {
      if (received !== "") JSON.parse(received);
      response.writeHead(answer.status, answer.headers);
      response.end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const url =
  process.argv[2] === "mock" ? (await startMockServer(benchOptions)).url : await listenBare();
process.on("disconnect", () => process.exit());
process.send?.(url);
