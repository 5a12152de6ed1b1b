import { describeValue } from "../errors/text.ts";
import { createWarner } from "../internal/warn-once.ts";
import { normalizeName } from "../options/rules.ts";

const parameters = ["action", "prompt", "images", "variations", "duration", "brand_id"];

/** Names that other services have for parameters of a job. */
const foreign = new Map([
  ["n", "variations"],
  ["seconds", "duration"],
  ["model", "action"],
]);

/** Most names to warn about. Behind a proxy, names come from pages, which must not fill the log. */
const maxWarnings = 20;

/** Whether two names differ by at most one letter: `brandId` is close to `brand_id`. */
const isNear = (given: string, name: string): boolean => {
  const misspelt = normalizeName(given);
  const meant = normalizeName(name);
  let start = 0;
  while (start < meant.length && misspelt[start] === meant[start]) start += 1;
  const [left, right] = [misspelt.slice(start), meant.slice(start)];
  return [right, right.slice(1)].includes(left.slice(1)) || left === right.slice(1);
};

/**
 * Creates the functions that warn about names which the service may ignore while it charges for the
 * job. A client warns about each name once.
 */
export const createNameWarner = () => {
  const warnOnce = createWarner(maxWarnings);
  return {
    warnOfParameters: (fields: object): void => {
      for (const name of Object.keys(fields)) {
        if (parameters.includes(name)) continue;
        const meant = parameters.find((each) => isNear(name, each)) ?? foreign.get(name);
        if (meant === undefined) continue;
        const words = `${describeValue(name)} is sent and paid; did you mean "${meant}"?`;
        warnOnce(`jobs.submit: ${words}`);
      }
    },
    warnOfQuery: (owner: string, query: object): void => {
      for (const name of Object.keys(query)) {
        if (name === "limit") continue;
        const words = `${describeValue(name)} is sent, but the API's document names no such`;
        warnOnce(`${owner}: ${words} parameter of a list`);
      }
    },
  };
};
