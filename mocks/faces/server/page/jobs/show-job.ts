import type { MockJobDetail } from "../../../../domain/inspect-job.ts";
import type { JobView } from "../../../../domain/job-view.ts";
import { cutText } from "../../../../seeded/cut-text.ts";
import { showMade } from "./made.ts";

/** Graphemes of the prompt that a card has room for. */
const promptOfCard = 160;
const errorOfCard = 300;
const textOfParameter = 40;
const mostParameters = 4;

/** Fields of a request that a card shows in places of their own. */
const placed = new Set(["action", "prompt", "brand_id"]);

const units: Readonly<Record<string, (value: unknown) => string>> = {
  variations: (value) => `${value} ${value === 1 ? "variation" : "variations"}`,
  duration: (value) => `${value} s`,
};

/** Describes a field of a request in a few words. */
const describeParameter = (name: string, value: unknown): string => {
  const shortName = cutText(name, textOfParameter, textOfParameter);
  if (Array.isArray(value)) return `${value.length} ${shortName}`;
  if (typeof value === "object" || value === true) return shortName;
  const text = units[name]?.(value) ?? `${shortName} ${value}`;
  return cutText(text, textOfParameter, 2 * textOfParameter);
};

const showRequest = (request: MockJobDetail["request"]) => {
  const { prompt } = request;
  const others = Object.entries(request).filter(([name]) => !placed.has(name));
  const parameters = others
    .slice(0, mostParameters)
    .map(([name, value]) => describeParameter(name, value));
  const rest = others.length - parameters.length;
  return {
    ...(typeof prompt === "string" && { prompt: cutText(prompt, promptOfCard, 4 * promptOfCard) }),
    parameters: rest > 0 ? [...parameters, `${rest} more`] : parameters,
  };
};

/** Shows a job as a card does: its request, its cost and what it made, all of it short. */
export const showJob = ({ job, account, request, brand, cost }: MockJobDetail) => {
  const { result, error, ...view }: JobView = job;
  return {
    ...view,
    ...(error !== undefined && { error: cutText(error, errorOfCard, 4 * errorOfCard) }),
    account,
    ...showRequest(request),
    ...(brand !== undefined && { brand }),
    ...(cost && {
      cost: { credit: cost.credit, amount: cost.amount, refunded: cost.refunded },
    }),
    ...(result !== undefined && { made: showMade(job.job_id, result) }),
  };
};

/** A job as a card shows it. */
export type JobOverview = ReturnType<typeof showJob>;
