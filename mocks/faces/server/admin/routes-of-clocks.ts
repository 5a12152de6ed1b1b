import * as z from "zod/mini";
import { fieldsOnly, milliseconds, optional } from "../../../options/fields.ts";
import { requireFit } from "../../../options/require.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { snapshotSchema } from "../../../world/snapshot-schema.ts";
import { messageOf } from "../log-line.ts";
import { defineRoute, ofAccount, refuse } from "./route.ts";

type Account = z.output<typeof snapshotSchema>["accounts"][number];

/**
 * Gives the time of a job's last change that the service keeps, or that a poll has shown. A poll
 * alone is nothing that a client could miss: the page looks at every job each second.
 */
const lastChange = (service: MockService, job: Account["jobs"][number], now: number): number => {
  const kept = Math.max(job.submittedAt, job.startedAt ?? 0, job.finishedAt ?? 0);
  if (job.seenAt <= now) return kept;
  const shown = service.jobs.inspect(job.id);
  // A job that is gone by then was missed.
  return shown ? Math.max(kept, shown.startedAt ?? 0, shown.finishedAt ?? 0) : job.seenAt;
};

/** Lists the kinds of an account's things with the times of their last changes, by its own clock. */
const changesIn = (service: MockService, account: Account, now: number) => [
  { kind: "account", at: account.openedAt },
  ...account.ledger.map(({ at }) => ({ kind: "ledger entry", at })),
  ...account.brands.map((brand) => ({ kind: "brand", at: Date.parse(`${brand["updated_at"]}`) })),
  ...account.ads.map((ad) => ({ kind: "saved ad", at: Date.parse(`${ad["created_at"]}`) })),
  ...account.jobs.map((job) => ({ kind: "job", at: lastChange(service, job, now) })),
];

/** Counts the things that would lie in the future when the clock went back to a time. */
const countLater = (service: MockService, time: number): string[] => {
  const { accounts } = requireFit("snapshot", snapshotSchema, service.snapshot({ journal: false }));
  const counts = new Map<string, number>();
  for (const account of accounts) {
    const now = time + account.offsetMs;
    for (const { kind, at } of changesIn(service, account, now)) {
      if (at > now) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return [...counts].map(([kind, count]) => `${count} × ${kind}`);
};

/**
 * Sets the service's clock to the time of this computer. Forwards that is always possible.
 * Backwards it is, as long as nothing has happened that would then lie in the future: jobs only
 * move forwards.
 *
 * @throws HTTPException 409, which names the things that are in the way
 */
const setRealTime = (service: MockService): void => {
  const realNow = Date.now();
  if (service.clock.now() <= realNow) {
    service.clock.setTime(realNow);
    return;
  }
  const later = countLater(service, realNow);
  if (later.length > 0) {
    throw refuse(
      409,
      `The clock cannot go back to ${new Date(realNow).toISOString()}: later than that are ${later.join(", ")}. A reset takes them, and the time, back`,
    );
  }
  service.restore({ ...service.snapshot(), at: realNow });
};

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
  setRealTime: defineRoute({}, ({ service }) => {
    setRealTime(service);
    return showTime(service.clock);
  }),
};
