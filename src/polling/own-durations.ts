import { notify } from "../hooks.ts";
import { emptyDurations, isOwn, type LearnedDurations } from "./schedule/durations.ts";
import { createLearnedDurations } from "./schedule/learned-durations.ts";

/**
 * Gives durations from which waits learn. Those of another copy of the package, or of one's own,
 * are read once; what is learned here is added to them, too.
 */
export const durationsOf = (given: LearnedDurations = emptyDurations()): LearnedDurations => {
  if (isOwn(given)) return given;
  let own = emptyDurations();
  const read = () => {
    own = createLearnedDurations(given.toJSON());
  };
  notify("durations.toJSON", read, undefined);
  const { add } = own;
  return Object.assign(own, {
    add: (...seen: Parameters<typeof add>) => {
      add(...seen);
      given.add(...seen);
    },
  });
};
