import type { WaitProgress } from "adgen-sdk";

const secondsOf = (ms: number): string => (ms / 1000).toFixed(1);

/**
 * Describes a wait as it is now: `████░░░░░░  38 %  1.2 of ~3.1 s`. The client guesses from the
 * durations of earlier jobs; without any, there is nothing to guess from.
 */
export const describeProgress = (progress: WaitProgress | undefined): string => {
  const { elapsedMs } = progress ?? { elapsedMs: 0 };
  return `${secondsOf(elapsedMs)} s`;
};
