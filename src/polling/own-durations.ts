import { notify } from "../hooks.ts";
import {
  addSnapshot,
  type DurationsSnapshot,
  emptyDurations,
  isOwn,
  type LearnedDurations,
  type SeenDuration,
} from "./schedule/durations.ts";

/** Those that were read, by those of the other copy: each poll of `pollOnce` asks for them. */
const readOnes = new WeakMap<LearnedDurations, LearnedDurations>();

/**
 * Gives durations from which waits learn. Those of another copy of the package, or of one's own,
 * are read once; what is learned here is added to them, too.
 */
export const durationsOf = (given: LearnedDurations = emptyDurations()): LearnedDurations => {
  if (isOwn(given)) return given;
  const known = readOnes.get(given);
  if (known !== undefined) return known;
  const own = emptyDurations();
  const { add } = own;
  readOnes.set(given, own);
  const read = () => {
    const { version, actions }: { version: number } & Pick<DurationsSnapshot, "actions"> =
      given.toJSON();
    if (version !== 1) throw new TypeError(`its version must be 1, got ${version}`);
    addSnapshot(own, actions);
  };
  notify("durations.toJSON", read, undefined);
  own.add = (...seen) => {
    add(...seen);
    given.add(...seen);
  };
  return own;
};

/** Adds the duration of a finished job. What durations of one's own throw loses no job. */
export const addDuration = (
  durations: LearnedDurations,
  action = "",
  duration: SeenDuration,
): void => notify("durations.add", () => durations.add(action, duration), undefined);
