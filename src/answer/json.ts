import type { ReachedLimit } from "../contract/reached-limit.ts";
import { problemOfId } from "../request/url.ts";

/** `undefined` where a text is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const usableId = (id: unknown): string | undefined =>
  problemOfId(id) === undefined ? (id as string) : undefined;

/** Fields of a body that may be anything. */
interface Unchecked {
  readonly success?: unknown;
  readonly data?: { readonly job_id?: unknown } | null;
  readonly error?: unknown;
  readonly job_id?: unknown;
  readonly limit?: Partial<ReachedLimit> | null;
}

export const fieldsOf = (json: unknown): Unchecked => json ?? {};

/** The job's id in a success that cannot be used otherwise. Without the id, a paid job is lost. */
export const findJobId = (json: unknown): string | undefined => {
  const { success, data } = fieldsOf(json);
  const id = success === true ? data?.job_id : undefined;
  return usableId(Number.isSafeInteger(id) ? String(id) : id);
};

/** The job's id where this library's proxy puts it: beside the envelope of a failure. */
export const jobIdOfProxy = (json: unknown): string | undefined => usableId(fieldsOf(json).job_id);

/** The limit that this library's proxy puts beside the envelope of a failure. */
export const limitOfProxy = (json: unknown): ReachedLimit | undefined => {
  const { kind, limit, windowMs, endsAt } = fieldsOf(json).limit ?? {};
  const isRight = typeof kind === "string" && [limit, windowMs, endsAt].every(Number.isFinite);
  return isRight ? ({ kind, limit, windowMs, endsAt } as ReachedLimit) : undefined;
};
