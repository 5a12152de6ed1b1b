import { expect, vi } from "vitest";

/** One turn of the real event loop, whatever timers a test has faked. */
const realTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/**
 * Expects that no faked timer is left. What ends just now may need some turns of the event loop for
 * it, and more of them on a busy machine; a timer that is left stays.
 */
export const expectNoTimers = async (): Promise<void> => {
  for (let turn = 0; turn < 2_000 && vi.getTimerCount() > 0; turn++) await realTurn();
  expect(vi.getTimerCount()).toBe(0);
};
