import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that stands for the real service: it accepts and counts every paid request. */
export interface LiveServer {
  readonly url: string;
  /** Gives the number of paid requests since the last look. */
  readonly takePaid: () => number;
  readonly close: () => void;
}

export const startLiveServer = async (): Promise<LiveServer> => {
  let paid = 0;
  const server = createServer((request, response) => {
    if (request.method === "POST") paid += 1;
    response.writeHead(202, { "content-type": "application/json" });
    const data = { job_id: "job_real", status: "queued" };
    response.end(JSON.stringify({ success: true, data, error: null }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takePaid: () => {
      const taken = paid;
      paid = 0;
      return taken;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
