import { parameterNames } from "../contract/jobs.ts";
import { isNear } from "../contract/near-name.ts";
import { describeValue } from "../errors/text.ts";

/** Through a proxy, names come from pages too: they must not fill a log. */
const mostWarnings = 20;

/** Names that are nearly a parameter's are no longer. */
const longestName = 40;

/**
 * Creates a function that warns of parameters which may be misspelt, once for each name. The service
 * knows no such parameter, and charges all the same.
 */
export const createNameWarner = () => {
  const told = new Set<string>(parameterNames);
  return (fields: object): void => {
    for (const name of Object.keys(fields)) {
      if (told.has(name) || told.size - parameterNames.length >= mostWarnings) continue;
      if (name.length > longestName) continue;
      const meant = parameterNames.find((known) => isNear(name, known));
      if (meant === undefined) continue;
      told.add(name);
      try {
        console.warn(
          `adgen-sdk: jobs.submit: ${describeValue(name)} is sent as it is; did you mean "${meant}"?`,
        );
      } catch {
        // A console that throws, or none, must not keep a submission from being sent.
      }
    }
  };
};
