import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A relay between the browser and the app, which can cut a connection at the worst moment. */
export interface ResettingRelay {
  readonly url: string;
  /** Cuts the connection of the next server action, once the app has had it for so long. */
  readonly cutNextAction: (afterMs: number) => void;
  /** Number of server actions that came from the browser. */
  readonly actions: () => number;
  readonly close: () => void;
}

/** Starts a relay. A browser sends a POST again by itself when a kept connection is reset. */
export const startResettingRelay = async (port: number): Promise<ResettingRelay> => {
  let cutAfterMs: number | undefined;
  let actions = 0;
  const sockets = new Set<Socket>();
  const server = createServer((browser) => {
    const app = connect(port, "127.0.0.1");
    for (const socket of [browser, app]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    let isCut = false;
    browser.on("data", (chunk) => {
      app.write(chunk);
      if (!/^POST .*\r\nnext-action:/is.test(chunk.toString("latin1"))) return;
      actions += 1;
      if (cutAfterMs === undefined) return;
      isCut = true;
      setTimeout(() => browser.resetAndDestroy(), cutAfterMs);
      cutAfterMs = undefined;
    });
    // The app is not told: it carries the action out.
    app.on("data", (chunk) => isCut || browser.write(chunk));
    app.on("end", () => browser.end());
    browser.on("end", () => app.end());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutNextAction: (afterMs) => {
      cutAfterMs = afterMs;
    },
    actions: () => actions,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
