import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { periodAt } from "../../src/proxy/calendar.ts";
import { openProxy } from "./proxy-under-test.ts";

afterEach(() => void vi.useRealTimers());

const iso = (at: number): string => new Date(at).toISOString().slice(0, 16);

test.each([
  // The clock of Paris goes back on 2026-10-25, and forward on 2026-03-29.
  ["2026-11-24T12:00Z", "month", "Europe/Paris", "2026-10-31T23:00", "2026-11-30T23:00"],
  ["2026-10-25T12:00Z", "day", "Europe/Paris", "2026-10-24T22:00", "2026-10-25T23:00"],
  ["2026-03-29T00:30Z", "day", "Europe/Paris", "2026-03-28T23:00", "2026-03-29T22:00"],
  ["2026-11-29T23:59Z", "week", "UTC", "2026-11-23T00:00", "2026-11-30T00:00"],
  ["2026-11-30T00:00Z", "week", "UTC", "2026-11-30T00:00", "2026-12-07T00:00"],
  ["2026-12-31T23:30Z", "month", "Asia/Tokyo", "2026-12-31T15:00", "2027-01-31T15:00"],
  ["2026-12-31T23:30Z", "month", "America/New_York", "2026-12-01T05:00", "2027-01-01T05:00"],
  ["2028-02-29T05:00Z", "month", "Asia/Kolkata", "2028-01-31T18:30", "2028-02-29T18:30"],
  ["2026-06-01T00:10Z", "day", "Pacific/Apia", "2026-05-31T11:00", "2026-06-01T11:00"],
] as const)("%s is in the %s of %s from %s to %s", (at, name, zone, startsAt, endsAt) => {
  const period = periodAt(Date.parse(at), name, zone);
  expect([iso(period.startsAt), iso(period.endsAt)]).toEqual([startsAt, endsAt]);
});

test("each moment is in one period, and the next one begins where it ends", () => {
  const zones = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"];
  const names = ["day", "week", "month"] as const;
  const from = Date.UTC(2020, 0, 1);
  const moment = fc.integer({ min: from, max: Date.UTC(2032, 0, 1) });
  const property = fc.property(
    moment,
    fc.constantFrom(...names),
    fc.constantFrom(...zones),
    (at, name, zone) => {
      const { startsAt, endsAt } = periodAt(at, name, zone);
      expect(startsAt).toBeLessThanOrEqual(at);
      expect(endsAt).toBeGreaterThan(at);
      expect(periodAt(startsAt, name, zone)).toEqual({ startsAt, endsAt });
      expect(periodAt(endsAt, name, zone).startsAt).toBe(endsAt);
      expect(periodAt(startsAt - 1, name, zone).endsAt).toBe(startsAt);
    },
  );
  fc.assert(property, { numRuns: 400 });
});

test("a limit of a month ends with the month of its time zone", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 30, 22, 59) });
  const limits = [{ window: "month", timeZone: "Europe/Paris", jobs: 1 }] as const;
  const { submit, proxy } = await openProxy({ limits });
  expect([(await submit("ann")).status, (await submit("bob")).status]).toEqual([202, 202]);
  const refused = await submit("ann");
  expect(refused.status).toBe(402);
  expect(refused.body).toContain("this app's limit is reached: 1 jobs in a month for each user");
  const endsAt = Date.UTC(2026, 10, 30, 23);
  const windowMs = 30 * 86_400_000;
  expect(await proxy.usage("ann")).toEqual([{ kind: "jobs", used: 1, limit: 1, windowMs, endsAt }]);
  vi.setSystemTime(endsAt);
  expect((await submit("ann")).status).toBe(202);
  expect(await proxy.usage("bob")).toMatchObject([{ used: 0 }]);
});

test.each([
  [{ jobs: 1 }, 'limits[0] needs windowMs, or window: "day", "week" or "month"'],
  [{ windows: "day", jobs: 1 }, 'limits[0] has no option "windows"; did you mean window?'],
  [{ windowMS: 60_000, jobs: 1 }, 'limits[0] has no option "windowMS"; did you mean windowMs?'],
  [{ window_ms: 60_000, jobs: 1 }, 'limits[0] has no option "window_ms"; did you mean windowMs?'],
  [{ window: "year", jobs: 1 }, 'limits[0].window must be "day", "week" or "month", got "year"'],
  [{ window: "day", timeZone: "Paris", jobs: 1 }, "limits[0].timeZone must be a time zone, such"],
  [{ windowMs: 60_000, window: "day" }, "limits[0] has windowMs, so that window and timeZone must"],
  [{ windowMs: 60_000, timeZone: "UTC" }, "limits[0] has windowMs, so that window and timeZone"],
])("a limit that makes no sense is refused: %j", async (limit, message) => {
  await expect(openProxy({ limits: [limit as never] })).rejects.toMatchObject({
    code: "config",
    message: expect.stringContaining(message),
  });
});
