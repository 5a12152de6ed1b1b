import type { WaitProgress } from "adgen-sdk";

const barLength = 10;

/** Draws a bar of blocks: `████░░░░░░`. */
const drawBar = (fraction: number): string => {
  const full = Math.round(fraction * barLength);
  return "█".repeat(full) + "░".repeat(barLength - full);
};

const secondsOf = (ms: number): string => (ms / 1000).toFixed(1);

/**
 * Describes a wait as it is now: `████░░░░░░  38 %  1.2 of ~3.1 s`. The client guesses from the
 * durations of earlier jobs; without any, there is nothing to guess from.
 */
export const describeProgress = (progress: WaitProgress | undefined): string => {
  const { elapsedMs, expectedMs, fraction } = progress ?? { elapsedMs: 0 };
  const elapsed = secondsOf(elapsedMs);
  if (fraction === undefined) return `${drawBar(0)}        ${elapsed} s`;
  const isOver = fraction === 1 || expectedMs === undefined;
  const time = isOver ? `${elapsed} s` : `${elapsed} of ~${secondsOf(expectedMs)} s`;
  return `${drawBar(fraction)} ${String(Math.floor(100 * fraction)).padStart(3)} %  ${time}`;
};
