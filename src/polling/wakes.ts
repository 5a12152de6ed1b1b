import { describeValue } from "../errors/text.ts";
import { notify } from "../hooks.ts";
import type { Wait } from "./wait.ts";

/** Listens to the caller's waker. One that fails shortens no wait, and ends none. */
export const listenToWaker = (wait: Wait, wake: () => void): void => {
  const { waker } = wait.config;
  if (waker === undefined) return;
  const listen = () => {
    const stop: unknown = waker.onWake(wait.id ?? "", wake);
    if (typeof stop !== "function") {
      throw new TypeError(`it must give a function that ends it, got ${describeValue(stop)}`);
    }
    wait.stopListening = stop as () => void;
  };
  notify("waker.onWake", listen, undefined);
};

/** Ends what {@link listenToWaker} has begun. */
export const stopListening = (wait: Wait): void => {
  notify("the function of waker.onWake", wait.stopListening, undefined);
  wait.stopListening = undefined;
};
