/** The service of one call: it plays one fault, and counts what it was asked to pay for. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fault, StubContext } from "./faults.ts";

/** Effects of one call on the service. */
export interface Traffic {
  /** POSTs that arrived. */
  posts: number;
  /** Orders that the service carried out. A repeat with the same Idempotency-Key is one order. */
  charges: number;
  /** Another host saw the key. */
  keyWentElsewhere: boolean;
  /** Paths that were asked for. */
  readonly paths: string[];
}

export interface Stub extends AsyncDisposable {
  readonly url: string;
  readonly traffic: Traffic;
  /** Aborts when the first request has arrived. */
  readonly arrival: AbortSignal;
}

/** Time for which a service that restarts does not listen. */
const restartMs = 3_000;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return body;
};

const listen = async (server: ReturnType<typeof createServer>, port = 0): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const close = (server: ReturnType<typeof createServer>): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** Starts a service that plays the fault, and another host beside it. */
export const startStub = async (
  fault: Fault,
  { key, paid, read }: { key: string; paid: string; read: string },
): Promise<Stub> => {
  const traffic: Traffic = { posts: 0, charges: 0, keyWentElsewhere: false, paths: [] };
  const orders = new Set<string>();
  const arrival = new AbortController();
  let requests = 0;

  const other = createServer((request, response) => {
    // The last characters of the key are readable even where its first ones are encoded.
    traffic.keyWentElsewhere ||= JSON.stringify(request.headers).includes(key.slice(-9));
    response.writeHead(200, { "content-type": "application/json" }).end(paid);
  });
  const elsewhere = await listen(other);

  const server = createServer(async (request, response) => {
    requests += 1;
    const meetsFault = requests === 1 || fault.lasts === true;
    const { method = "", url = "", headers } = request;
    traffic.paths.push(url);
    const isPost = method === "POST";
    try {
      const body = await bodyOf(request);
      arrival.abort();
      const success = isPost ? paid : read;
      if (isPost) {
        traffic.posts += 1;
        if (!meetsFault || fault.accepts) {
          orders.add(String(headers["idempotency-key"] ?? `order ${traffic.posts}`));
          traffic.charges = orders.size;
        }
      }
      const context: StubContext = { success, elsewhere, key };
      if (meetsFault) {
        fault.answer(context)(response, { method, url, headers, body, at: performance.now() });
      } else {
        response.writeHead(200, { "content-type": "application/json" }).end(success);
      }
    } catch {
      // The client went away.
    }
  });
  server.on("connection", (socket) => socket.on("error", () => {}));

  const url = await listen(server);
  let reopening: NodeJS.Timeout | undefined;
  if (fault.closed !== undefined) {
    await close(server);
    const port = Number(new URL(url).port);
    if (fault.closed === "at first") reopening = setTimeout(() => listen(server, port), restartMs);
  }
  return {
    url,
    traffic,
    arrival: arrival.signal,
    [Symbol.asyncDispose]: async () => {
      clearTimeout(reopening);
      await Promise.all([close(other), server.listening && close(server)]);
    },
  };
};
