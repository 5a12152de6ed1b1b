import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/**
 * Starts a relay between the browser and the app, which can cut a connection at the worst moment. A
 * browser sends a POST again by itself when a kept connection is reset.
 */
export const startResettingRelay = async (port: number) => {
  let cutAfterMs: number | undefined;
  let actions = 0;
  const server = createServer((browser) => {
    const app = connect(port, "127.0.0.1");
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
    app.on("end", () => browser.end()).on("error", () => {});
    browser.on("end", () => app.end()).on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Cuts the connection of the next server action, once the app has had it for so long. */
    cutNextAction: (afterMs: number) => {
      cutAfterMs = afterMs;
    },
    /** Number of server actions that came from the browser. */
    actions: () => actions,
    close: () => server.close(),
  };
};

export type ResettingRelay = Awaited<ReturnType<typeof startResettingRelay>>;
