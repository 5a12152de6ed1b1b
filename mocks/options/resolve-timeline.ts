import { type Action, actions } from "../../src/contract/actions.ts";
import type { Pace, Timeline } from "../domain/job-timeline.ts";
import type { Span } from "../seeded/draw.ts";
import { isRecord, refusal, requireKnown, requireNumber } from "./require.ts";

const requireMs = (option: string, value: unknown, max = Number.POSITIVE_INFINITY): void =>
  requireNumber(option, value, "milliseconds, zero or more", (ms) => ms >= 0 && ms <= max);

/** Milliseconds; the bounds of what is drawn have to be finite. */
export const requireSpan = (option: string, span: unknown, max?: number): Span => {
  if (!isRecord(span)) {
    requireMs(option, span, max);
    return span as Span;
  }
  const names = "min" in span || "max" in span ? ["min", "max"] : ["median", "p95"];
  requireKnown(option, span, names);
  const [low, high] = names.map((name) => span[name]);
  for (const name of names) {
    requireMs(`${option}.${name}`, span[name], max ?? Number.MAX_SAFE_INTEGER);
  }
  if (Number(low) > Number(high)) throw refusal(option, `in order: ${names.join(" up to ")}`);
  return { ...span } as Span;
};

const requirePace = (option: string, pace: unknown): Pace => {
  if (pace === "per-look") return pace;
  if (!isRecord(pace)) throw refusal(option, '"per-look", or { queuedMs, processingMs }');
  requireKnown(option, pace, ["queuedMs", "processingMs"]);
  return {
    queuedMs: requireSpan(`${option}.queuedMs`, pace["queuedMs"]),
    processingMs: requireSpan(`${option}.processingMs`, pace["processingMs"]),
  };
};

const isForEachAction = (timeline: unknown): timeline is Exclude<Timeline, Pace> =>
  isRecord(timeline) && !("queuedMs" in timeline || "processingMs" in timeline);

/** A pace for each action. */
export const resolveTimeline = (timeline: Timeline): Readonly<Record<Action, Pace>> => {
  const paceOf = (): ((action: Action) => Pace) => {
    if (!isForEachAction(timeline)) {
      const pace = requirePace("timeline", timeline);
      return () => pace;
    }
    requireKnown("timeline", timeline, ["default", ...actions]);
    const paces = Object.fromEntries(
      Object.entries(timeline).map(([name, pace]) => [
        name,
        requirePace(name === "default" ? "timeline.default" : `timeline["${name}"]`, pace),
      ]),
    );
    return (action) => paces[action] ?? paces["default"] ?? "per-look";
  };
  const pace = paceOf();
  return Object.freeze(
    Object.fromEntries(actions.map((action) => [action, pace(action)])),
  ) as Readonly<Record<Action, Pace>>;
};
