import * as z from "zod/mini";
import { type Action, actions } from "../../src/contract/actions.ts";
import type { Pace, TimedPace, Timeline } from "../domain/job-timeline.ts";
import { endless, type FieldsOf, fieldsOnly, milliseconds, spanOf } from "./fields.ts";

const stateMs = spanOf(z.union([milliseconds, endless]), Number.MAX_SAFE_INTEGER);

const perPoll = z.literal("per-poll");
const timedPace = fieldsOnly({
  queuedMs: stateMs.check(z.describe("Milliseconds that a job is queued")),
  processingMs: stateMs.check(z.describe("Milliseconds that it is processed after that")),
} satisfies FieldsOf<TimedPace>);
const paceError = '"per-poll", or { queuedMs, processingMs }';
const pace = z.union([perPoll, timedPace], { error: paceError });

const paceNames: readonly string[] = ["default", ...actions];

// zod reports keys that an enum lacks only after the other readings of a union. Hence the check.
const paceName = z.string().check(
  z.refine((name) => paceNames.includes(name)),
  z.describe(`One of ${paceNames.join(", ")}`),
);

/** Schema of the pace at which jobs get on, one for all actions or one for each. */
export const timelineSchema = z.union(
  [perPoll, timedPace, z.record(paceName, pace, { error: paceNames.join(", ") })],
  { error: `${paceError}, or one of these for each action` },
) satisfies z.ZodMiniType<Timeline>;

const isPace = (timeline: z.output<typeof timelineSchema>): timeline is Pace =>
  timeline === "per-poll" || "queuedMs" in timeline;

/** Gives the pace of each action, by a timeline that fits its schema. */
export const resolveTimeline = (
  timeline: z.output<typeof timelineSchema>,
): Readonly<Record<Action, Pace>> => {
  const paceOf = (action: Action): Pace =>
    isPace(timeline) ? timeline : (timeline[action] ?? timeline["default"] ?? "per-poll");
  return Object.freeze(
    Object.fromEntries(actions.map((action) => [action, paceOf(action)])),
  ) as Readonly<Record<Action, Pace>>;
};
