import { bodies } from "../../src/contract/bodies.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";

/** The parameters of a job that the API's document names, or that are assumed. @assumed A2 */
const known = Object.keys(bodies["jobs.submit"] ?? {});

const plain = (name: string): string => name.replaceAll("_", "").toLowerCase();

/** Whether a name becomes another by one letter too many, missing, wrong, or swapped. */
const isNear = (misspelt: string, meant: string): boolean => {
  const [given, name] = [plain(misspelt), plain(meant)];
  let start = 0;
  while (start < name.length && given[start] === name[start]) start += 1;
  const [left, right] = [given.slice(start), name.slice(start)];
  return (
    left.slice(1) === right ||
    left === right.slice(1) ||
    left.slice(1) === right.slice(1) ||
    (left.slice(2) === right.slice(2) && left[0] === right[1] && left[1] === right[0])
  );
};

/** Names of a request's parameters that no job has. Brands and ads may have fields of any name. */
export const unknownParametersOf = (
  operation: EndpointName | undefined,
  body: unknown,
): readonly string[] => {
  const isJob = operation === "jobs.submit" && typeof body === "object" && body !== null;
  return isJob ? Object.keys(body).filter((name) => !known.includes(name)) : [];
};

/** Describes what is wrong with a parameter's name, and which one may be meant. */
export const describeUnknown = (name: string): string => {
  const near = known.find((each) => isNear(name, each));
  return near === undefined ? `a job has ${known.join(", ")}` : `did you mean ${near}?`;
};
