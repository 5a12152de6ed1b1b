import type { ResourceKind } from "../../contract/endpoint.ts";
import { describeKind } from "../errors/text.ts";
import type { Refuse } from "./rules.ts";

/** Most characters of an id, because error messages and logs quote ids. */
const maxIdLength = 256;

/** Describes what is wrong with an id, by its kind and never by its value. */
export const problemOfId = (id: unknown): string | undefined => {
  if (typeof id !== "string") return `must be a non-empty string, got ${describeKind(id)}`;
  if (id.trim() === "") return "must be a non-empty string, got an empty one";
  if (id.length > maxIdLength) return `has ${id.length} characters, more than ${maxIdLength}`;
  if (/(^|[\\/])\.\.?($|[\\/])/.test(id)) return 'has a part "." or "..", as in a path';
  if (/\p{Cc}/u.test(id)) return "has a line break or another control character";
  if (/\p{Surrogate}/u.test(id)) return "has half of a surrogate pair";
  return undefined;
};

/** What messages call an id, and where callers find it. */
const idLabels: Readonly<Record<ResourceKind, readonly [name: string, hint: string]>> = {
  job: ["job id", "pass job.job_id or the job"],
  brand: ["brand id", "pass brand.id"],
  ad: ["saved ad id", "pass ad.id"],
};

/** Returns a usable id, and refuses any other with advice on where to find it. */
export const requireId = (kind: ResourceKind, id: unknown, refuse: Refuse): string => {
  const problem = problemOfId(id);
  if (problem === undefined) return id as string;
  const [label, hint] = idLabels[kind];
  // Brands and ads keep their id in this field.
  const isMisnamed = kind === "job" && Object(id).id;
  return refuse(`${label} ${problem}: ${isMisnamed ? "did you mean job_id?" : hint}`);
};
