import { type Action, priceOf } from "../contract/actions.ts";
import { maxVariations } from "../contract/jobs.ts";
import type { LimitKind } from "../contract/reached-limit.ts";
import { unsupportedActionMessage } from "../contract/supported-actions.ts";
import { refuse } from "./answer.ts";
import { foldName } from "./fold-name.ts";

/** Amounts that count against limits. */
export type JobCost = Readonly<Record<LimitKind, number>>;

type Body = Readonly<Record<string, unknown>>;

const parameters = ["action", "prompt", "images", "variations", "duration", "brand_id"];

/** The shortest video: a limit must notice each one. */
const leastSeconds = 0.001;

/** The longest: sums of such lengths are numbers still, which JSON can say. */
const mostSeconds = 1e9;

const requireExactNames = (body: Body): void => {
  for (const name of Object.keys(body)) {
    const meant = parameters.find((known) => known === foldName(name) && known !== name);
    if (meant !== undefined) refuse(400, `unknown parameter ${name}: write ${meant}`);
  }
};

const readDuration = ({ duration }: Body): number | undefined => {
  if (duration === undefined) return undefined;
  const isNumber = typeof duration === "number";
  if (isNumber && duration >= leastSeconds && duration <= mostSeconds) return duration;
  return refuse(
    400,
    `duration must be a number of seconds, from ${leastSeconds} to ${mostSeconds}`,
  );
};

/**
 * Checks what decides about the price of a job, and counts it. The service checks all the rest.
 *
 * @param actions - Actions that pages may submit; absent: the service decides
 * @param countsSeconds - A limit counts seconds, so that a video must say its own
 */
export const costOf = (
  body: Body,
  actions: readonly Action[] | undefined,
  countsSeconds: boolean,
): JobCost => {
  requireExactNames(body);
  const { action } = body;
  if (actions !== undefined && !actions.includes(action as Action)) {
    refuse(400, unsupportedActionMessage(actions));
  }
  const { credit, variations = 0 } = priceOf(body);
  if (variations < 1 || variations > maxVariations) {
    refuse(400, `variations must be a whole number from 1 to ${maxVariations}`);
  }
  const duration = readDuration(body);
  if (credit !== "video") {
    return { jobs: 1, imageCredits: credit === "image" ? variations : 0, videoSeconds: 0 };
  }
  if (countsSeconds && duration === undefined) {
    refuse(400, "duration is missing: a limit counts the seconds of videos");
  }
  return { jobs: 1, imageCredits: 0, videoSeconds: (duration ?? 0) * variations };
};
