import { requestBodies } from "../../src/contract/bodies.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { findNear } from "../options/near-name.ts";

/** The parameters of a job that the API's document names, or that are assumed. @assumed A2 */
const known = Object.keys(requestBodies["jobs.submit"] ?? {});

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
  const near = findNear(name, known);
  return near === undefined ? `a job has ${known.join(", ")}` : `did you mean ${near}?`;
};
