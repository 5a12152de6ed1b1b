import { describeValue } from "../errors/text.ts";
import { refuseWrite } from "../options/rules.ts";

const maxIdLength = 200;

/**
 * Writes an id of the caller's as an id of a BullMQ job, which may hold no colon and be no whole
 * number. Both are percent-encoded; different ids stay different.
 */
export const encodeId = (id: string): string =>
  id.replace(/^-?\d+$|[%:]/g, (part) =>
    part.length > 1 || /\d/.test(part)
      ? `%${part.charCodeAt(0).toString(16).toUpperCase()}${part.slice(1)}`
      : encodeURIComponent(part),
  );

const problemOf = (id: unknown): string | undefined => {
  if (typeof id !== "string" || id.trim() === "") {
    return `must be a non-empty string, got ${describeValue(id)}`;
  }
  if (id.length > maxIdLength) return `has ${id.length} characters, more than ${maxIdLength}`;
  if (/\p{Cc}/u.test(id)) return "has a line break or another control character";
  return /\p{Surrogate}/u.test(id) ? "has half of a surrogate pair" : undefined;
};

/** Refuses an id that a submission cannot have. */
export const requireId = (id: unknown): string => {
  const problem = problemOf(id);
  if (problem !== undefined) refuseWrite(`the id of a submission ${problem}`);
  return id as string;
};
