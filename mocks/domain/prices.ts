import { creditOfAction } from "../../src/contract/actions.ts";
import type { JobRecord } from "./job-timeline.ts";
import type { Rules } from "./state.ts";

/** Video credits per second, by model. @assumed A11 */
export const defaultVideoPrices: Rules["videoPrices"] = {
  "video-a-2": 1,
  "video-a-2-pro": 2,
  "video-b-3-0": 3,
};

/** Duration in seconds of a video whose request has no `duration`. @assumed A11 */
export const defaultDurationSeconds = 5;

/** Maximum duration of a video, in seconds. @assumed A11 */
export const maxDurationSeconds = 60;

/** Rounds up to whole credits. The tolerance keeps 1.1 × 50 at 55; `Math.ceil` alone would give 56. */
const roundUp = (credits: number): number => Math.ceil(credits - 1e-9);

/**
 * Computes the price of a job; `null` if it is free. Each variation costs the same again.
 *
 * @see API v1, section 8 "Limits"
 */
export const priceOf = (
  { action, variations, duration = 0 }: Pick<JobRecord, "action" | "variations" | "duration">,
  videoPrices: Rules["videoPrices"],
) => {
  const credit = creditOfAction[action];
  if (credit === null) return null;
  if (credit === "image") return { credit, amount: variations };
  const perSecond = videoPrices[action as keyof Rules["videoPrices"]];
  const cost = perSecond * duration;
  return { credit, amount: (cost > 0 ? Math.max(1, roundUp(cost)) : 0) * variations };
};
