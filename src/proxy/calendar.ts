/** Windows of a calendar: days, weeks and months begin at midnight in a time zone. */
export type CalendarName = "day" | "week" | "month";

/** A window of time that has begun, and not ended, in milliseconds since 1970. */
export interface Period {
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Offset of a zone's clock from UTC, at a moment, in milliseconds. */
const offsetAt = (at: number, timeZone: string): number => {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, hourCycle: "h23", era: "short" },
    ...{ year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const [year, month, day] = [part("year"), part("month") - 1, part("day")];
  const local = Date.UTC(year, month, day, part("hour"), part("minute"), part("second"));
  return local - Math.floor(at / 1000) * 1000;
};

/** Moment at which a day begins in a zone; `local` is its midnight as if the zone were UTC. */
const midnightAt = (local: number, timeZone: string): number => {
  const guess = local - offsetAt(local, timeZone);
  // The clock may have been moved in between.
  return local - offsetAt(guess, timeZone);
};

/** Gives the period that a moment is in. Weeks begin on Monday. */
export const periodAt = (at: number, name: CalendarName, timeZone: string): Period => {
  const local = new Date(at + offsetAt(at, timeZone));
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  const monday = day - ((local.getUTCDay() + 6) % 7);
  const [start, end] = {
    day: [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)],
    week: [Date.UTC(year, month, monday), Date.UTC(year, month, monday + 7)],
    month: [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)],
  }[name] as [number, number];
  return { startsAt: midnightAt(start, timeZone), endsAt: midnightAt(end, timeZone) };
};
