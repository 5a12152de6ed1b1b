/** Asks a server that must not keep its process alive, and closes nothing. */
import { connect } from "node:net";
import { startMockServer } from "../../../mocks/server/index.ts";

const server = await startMockServer();
server.unref();
// A client that keeps its connection.
connect(server.port, "127.0.0.1").unref().write("GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n");
for (let round = 0; round < 2; round += 1) {
  const headers = { authorization: "Bearer test-key" };
  console.log((await fetch(`${server.url}/v1/jobs`, { headers })).status);
}
