import { isAction } from "../contract/actions.ts";
import type { JobReader } from "../http/job-ref.ts";

/** So many durations of an action are kept, and so many show the shortest. */
const mostKept = 20;
const enough = 5;

/** What the waits of each client have seen, by action; the newest is the first. */
const seen = new WeakMap<JobReader, Map<string, readonly number[]>>();

/** How long the last jobs of an action took. */
export const durationsOf = (reader: JobReader, action = ""): readonly number[] =>
  seen.get(reader)?.get(action) ?? [];

export const noteDuration = (reader: JobReader, action: string | undefined, ms: number): void => {
  // Other names would fill the memory.
  if (!isAction(action)) return;
  const kept = [ms, ...durationsOf(reader, action)].slice(0, mostKept);
  seen.set(reader, (seen.get(reader) ?? new Map()).set(action, kept));
};

/** Half of them took no longer. */
export const medianOf = (durations: readonly number[]): number | undefined =>
  [...durations].sort((one, other) => one - other)[Math.floor(durations.length / 2)];

/** No job is expected to be quicker; zero while too few are known. */
export const shortestOf = (durations: readonly number[]): number =>
  durations.length < enough ? 0 : Math.min(...durations);
