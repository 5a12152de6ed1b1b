import { requestBodies } from "../../src/contract/bodies.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { findNear } from "../options/near-name.ts";

/** The parameters of a job that are documented or assumed. @assumed A2 */
const known = Object.keys(requestBodies["jobs.submit"] ?? {});

/** Lists the unknown parameters of a submission. Brands and ads may have fields of any name. */
export const unknownParametersOf = (
  operation: EndpointName | undefined,
  body: unknown,
): readonly string[] => {
  const isJob = operation === "jobs.submit" && typeof body === "object" && body !== null;
  return isJob ? Object.keys(body).filter((name) => !known.includes(name)) : [];
};

/** Says which known parameter a misspelt one may mean, or lists all. */
export const describeUnknown = (name: string): string => {
  const near = findNear(name, known);
  return near === undefined ? `a job has ${known.join(", ")}` : `did you mean ${near}?`;
};
