import type { ManualClock } from "../../../domain/clock.ts";
import { type Fields, timeOf } from "./admin-input.ts";
import { type AdminRoute, makesSense, Refusal } from "./admin-route.ts";

export const showTime = (clock: ManualClock) => {
  const now = clock.now();
  return { now, time: new Date(now).toISOString() };
};

export const clockFields = ["advanceMs", "time"];

/** Moves a clock by `{ advanceMs }`, or to `{ time }`. */
export const moveClock = (clock: ManualClock, body: Fields) => {
  const { advanceMs } = body;
  const time = timeOf(body, "time");
  if ((advanceMs === undefined) === (time === undefined)) {
    throw new Refusal(400, "advanceMs or time: expected one of them");
  }
  if (time !== undefined) {
    makesSense("time", () => clock.setTime(time));
  } else {
    if (typeof advanceMs !== "number" || !(advanceMs >= 0)) {
      throw new Refusal(400, "advanceMs: expected milliseconds, zero or more");
    }
    makesSense("advanceMs", () => clock.advance(advanceMs));
  }
  return showTime(clock);
};

export const clockRoutes: readonly AdminRoute[] = [
  {
    method: "GET",
    path: "/__mock/clock",
    summary: "the service's time",
    answer: ({ service }) => showTime(service.clock),
  },
  {
    method: "POST",
    path: "/__mock/clock",
    summary: "moves every account's time: {advanceMs} or {time}",
    fields: clockFields,
    answer: ({ service, body }) => moveClock(service.clock, body),
  },
];
