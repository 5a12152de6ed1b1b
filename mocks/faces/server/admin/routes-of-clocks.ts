import * as z from "zod/mini";
import { fieldsOnly, milliseconds, optional } from "../../../options/fields.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { messageOf } from "../log-line.ts";
import { defineRoute, ofAccount, refuse } from "./route.ts";

const timeError = "milliseconds since 1970, or a time such as 2026-01-31T12:00:00Z";

const isoTime = z.pipe(
  z.string().check(z.refine((value) => Number.isFinite(Date.parse(value)), { error: timeError })),
  z.transform((value) => Date.parse(value)),
);

/** Body that moves a clock. */
const clockMove = fieldsOnly({
  advanceMs: optional(milliseconds, "Milliseconds to move forward"),
  time: optional(
    z.union([z.number(), isoTime], { error: timeError }),
    "Time to move to: milliseconds since 1970, or in ISO 8601",
  ),
}).check(
  z.refine(({ advanceMs, time }) => (advanceMs === undefined) !== (time === undefined), {
    error: "an object of either advanceMs or time",
  }),
);

type AdminClock = MockService["clock"];

/** Shows the time of a clock, in two ways. */
export const showTime = (clock: AdminClock) => {
  const now = clock.now();
  return { now, time: new Date(now).toISOString() };
};

const moveClock = (clock: AdminClock, { advanceMs, time }: z.output<typeof clockMove>) => {
  try {
    if (advanceMs !== undefined) clock.advance(advanceMs);
    if (time !== undefined) clock.setTime(time);
  } catch (error) {
    const field = time === undefined ? "advanceMs" : "time";
    throw refuse(400, `${field}: ${messageOf(error)}`);
  }
  return showTime(clock);
};

export const clockRoutes = {
  readAccountClock: defineRoute({ path: ofAccount }, ({ scope }) => showTime(scope.clock)),
  moveAccountClock: defineRoute({ path: ofAccount, body: clockMove }, ({ scope, body }) =>
    moveClock(scope.clock, body),
  ),
  readClock: defineRoute({}, ({ service }) => showTime(service.clock)),
  moveClock: defineRoute({ body: clockMove }, ({ service, body }) =>
    moveClock(service.clock, body),
  ),
};
