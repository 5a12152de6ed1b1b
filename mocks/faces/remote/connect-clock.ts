import type { ConnectedClock } from "./connected-mock.ts";
import type { Connection } from "./connection.ts";

/** Makes the face of one clock: the server's, or an account's. */
export const connectClock = ({ ask, tell }: Connection, path: string): ConnectedClock => ({
  now: async () => (await ask<{ now: number }>("GET", path)).now,
  advance: (ms) => tell("POST", path, { advanceMs: ms }),
  setTime: (ms) => tell("POST", path, { time: ms }),
});
