import { describeValue } from "../../errors/text.ts";
import { isObject, refuseArgument } from "../../options/rules.ts";
import { binCount, type Interval } from "./bins.ts";
import {
  allActions,
  type DurationsSnapshot,
  emptyDurations,
  type LearnedDurations,
  remember,
} from "./durations.ts";

const isInterval = (value: unknown): value is Interval => {
  const [from, to, ...more] = Array.isArray(value) ? value : [];
  const areBins = Number.isInteger(from) && Number.isInteger(to) && more.length === 0;
  return areBins && 0 <= from && from < to && to <= binCount;
};

const readJobs = (name: string, given: unknown): readonly Interval[] => {
  if (!Array.isArray(given)) {
    return refuseArgument(`${name} must be a list of [from, to], got ${describeValue(given)}`);
  }
  const wrong = given.findIndex((each) => !isInterval(each));
  return wrong < 0
    ? given
    : refuseArgument(
        `${name}[${wrong}] must be [from, to], whole numbers from 0 to ${binCount} that rise`,
      );
};

/**
 * Makes a memory of durations for `createClient({ durations })`. A client makes an empty one by
 * itself. Clients may share one.
 *
 * @param snapshot Durations that an earlier run has learned, as `JSON.parse` gives it.
 * @throws {@link AdGenError} with `invalid_request`: the snapshot has another form.
 * @example
 * const durations = createLearnedDurations(JSON.parse(await readFile("durations.json", "utf8")));
 * const client = createClient({ baseUrl, apiKey, durations });
 */
export const createLearnedDurations = (snapshot?: DurationsSnapshot): LearnedDurations => {
  const durations = emptyDurations();
  if (snapshot === undefined) return durations;
  const { version, actions } = isObject(snapshot) ? snapshot : {};
  if (version !== 1 || !isObject(actions)) {
    return refuseArgument(
      "a snapshot of durations must be what JSON.stringify(durations) gave, read by JSON.parse; " +
        `got ${describeValue(snapshot)}`,
    );
  }
  for (const [action, jobs] of Object.entries(actions)) {
    const name = `snapshot.actions[${describeValue(action)}]`;
    const read = readJobs(name, jobs);
    if (read.length === 0) continue;
    for (const each of new Set([allActions, action])) remember(durations, each, read);
  }
  return durations;
};
