import { describeValue } from "../errors/text.ts";
import { notify } from "../hooks.ts";
import type { Waker } from "./waker.ts";

/**
 * Listens to the caller's waker. One that fails shortens no wait, and ends none.
 *
 * @returns Function that ends it
 */
export const listenToWaker = (
  waker: Waker | undefined,
  jobId: string,
  wake: () => void,
): (() => void) => {
  let stop: (() => void) | undefined;
  const listen = () => {
    const given: unknown = waker?.onWake(jobId, wake);
    if (typeof given !== "function") {
      throw new TypeError(`it must give a function that ends it, got ${describeValue(given)}`);
    }
    stop = given as () => void;
  };
  if (waker !== undefined) notify("waker.onWake", listen, undefined);
  return () => notify("the function of waker.onWake", stop, undefined);
};
