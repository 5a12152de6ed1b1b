import type * as z from "zod/mini";
import { requireFit } from "../../../options/require.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { snapshotSchema } from "../../../world/snapshot-schema.ts";
import { refuse } from "./refuse.ts";

type Account = z.output<typeof snapshotSchema>["accounts"][number];

/**
 * Gives the time of the last change of a job that a poll has shown later than at a time. A poll alone
 * is nothing that a client could miss: the page looks at every job each second.
 */
const shownAfter = (
  service: MockService,
  { id, seenAt }: Account["jobs"][number],
  time: number,
) => {
  if (seenAt <= time) return time;
  const detail = service.jobs.inspect(id);
  if (detail === undefined) return seenAt; // it is gone by then
  return Math.max(detail.startedAt ?? time, detail.finishedAt ?? time);
};

/** Lists the things of an account, each with its times by the account's own clock. */
const thingsOf = (service: MockService, account: Account, time: number) =>
  [
    ["account", account.openedAt],
    ...account.ledger.map(({ at }) => ["ledger entry", at]),
    ...account.brands.map((brand) => ["brand", brand["created_at"], brand["updated_at"]]),
    ...account.ads.map((ad) => ["saved ad", ad["created_at"], ad["updated_at"]]),
    ...account.jobs.map((job) => {
      const { submittedAt, startedAt, finishedAt } = job;
      return ["job", submittedAt, startedAt, finishedAt, shownAfter(service, job, time)];
    }),
  ] as const;

/** Reads a time; those of brands and ads are in ISO 8601. */
const msOf = (at: unknown): number => (typeof at === "string" ? Date.parse(at) : Number(at));

/** Counts the things that would lie in the future when the clock went back to a time. */
const countLater = (service: MockService, time: number): string[] => {
  const { accounts } = requireFit("snapshot", snapshotSchema, service.snapshot({ journal: false }));
  const counts = new Map<string, number>();
  for (const account of accounts) {
    const present = time + account.offsetMs;
    for (const [thing, ...times] of thingsOf(service, account, present)) {
      if (!times.some((at) => msOf(at) > present)) continue;
      counts.set(String(thing), (counts.get(String(thing)) ?? 0) + 1);
    }
  }
  return [...counts].map(([thing, count]) => `${count} × ${thing}`);
};

/**
 * Sets the service's clock to the time of this computer. Forwards that is always possible.
 * Backwards it is, as long as nothing has happened that would then lie in the future: jobs only
 * move forwards.
 *
 * @throws HTTPException 409, which names the things that are in the way
 */
export const setRealTime = (service: MockService): void => {
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
