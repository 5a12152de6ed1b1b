import { describeValue } from "../errors/text.ts";

const known = ["action", "prompt", "images", "variations", "duration", "brand_id"];

/** Through a proxy, names come from pages too: they must not fill a log. */
const mostWarnings = 20;

/** Whether a name becomes another by one letter too many, missing or wrong: `brandId` is `brand_id`. */
const isNear = (given: string, name: string): boolean => {
  const [misspelt = "", meant = ""] = [given, name].map((each) =>
    each.replaceAll("_", "").toLowerCase(),
  );
  let start = 0;
  while (start < meant.length && misspelt[start] === meant[start]) start += 1;
  const [left, right] = [misspelt.slice(start), meant.slice(start)];
  return [right, right.slice(1)].includes(left.slice(1)) || left === right.slice(1);
};

/** Warns of parameters that may be misspelt, once for each: the service charges all the same. */
export const createNameWarner = () => {
  const told = new Set<string>(known);
  return (fields: object): void => {
    for (const name of Object.keys(fields)) {
      if (told.has(name) || told.size === known.length + mostWarnings) continue;
      const meant = known.find((each) => name.length < 40 && isNear(name, each));
      if (meant === undefined) continue;
      told.add(name);
      const words = `${describeValue(name)} is sent as it is; did you mean "${meant}"?`;
      try {
        console.warn(`adgen-sdk: jobs.submit: ${words}`);
      } catch {
        // A console that throws, or none, must not keep a submission from being sent.
      }
    }
  };
};
