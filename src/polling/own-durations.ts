import { notify } from "../hooks.ts";
import {
  createLearnedDurations,
  emptyDurations,
  isOwn,
  type LearnedDurations,
  type SeenDuration,
} from "./schedule/durations.ts";

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

/** Adds the duration of a finished job. What durations of one's own throw loses no job. */
export const addDuration = (
  durations: LearnedDurations,
  action = "",
  duration: SeenDuration,
): void => notify("durations.add", () => durations.add(action, duration), undefined);
