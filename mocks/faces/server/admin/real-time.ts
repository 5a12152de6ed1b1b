import type { MockService } from "../../../service/mock-service.ts";
import { refuse } from "./refuse.ts";

/** Kinds of things in an account of a snapshot, and their fields that hold times. */
const timed = [
  { thing: "job", list: "jobs", fields: ["submittedAt", "startedAt", "finishedAt"] },
  { thing: "ledger entry", list: "ledger", fields: ["at"] },
  { thing: "brand", list: "brands", fields: ["created_at", "updated_at"] },
  { thing: "saved ad", list: "ads", fields: ["created_at", "updated_at"] },
] as const;

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => ({ ...Object(value) });

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Reads a time that is written in milliseconds or in ISO 8601; anything else is no time. */
const timeOf = (value: unknown): number =>
  typeof value === "string" ? Date.parse(value) : Number(value ?? Number.NaN);

/**
 * Tells whether a poll has shown a job in a state that it has only later. A poll alone is nothing
 * that a client could miss: the page looks at every job each second.
 */
const isSeenLater = (service: MockService, job: unknown, present: number): boolean => {
  const { id, seenAt } = fieldsOf(job);
  if (!(timeOf(seenAt) > present)) return false;
  const detail = service.jobs.inspect(String(id));
  if (detail === undefined) return true; // it is gone by then
  const { startedAt = 0, finishedAt = 0 } = detail;
  return Math.max(startedAt, finishedAt) > present;
};

/** Counts the things that would lie in the future when the clock went back by so much. */
const countLater = (
  service: MockService,
  snapshot: { readonly [field: string]: unknown },
  time: number,
): string[] => {
  const accounts = listOf(snapshot["accounts"]).map(fieldsOf);
  const laterAccounts = accounts.filter(
    ({ openedAt, offsetMs }) => timeOf(openedAt) > time + Number(offsetMs),
  ).length;
  const counts = timed.map(({ thing, list, fields }) => {
    const number = accounts.reduce((sum, account) => {
      const present = time + Number(account["offsetMs"]);
      const isLater = (item: unknown): boolean =>
        fields.some((field) => timeOf(fieldsOf(item)[field]) > present) ||
        (list === "jobs" && isSeenLater(service, item, present));
      return sum + listOf(account[list]).filter(isLater).length;
    }, 0);
    return { thing, number };
  });
  return [...counts, { thing: "account", number: laterAccounts }]
    .filter(({ number }) => number > 0)
    .map(({ thing, number }) => `${number} × ${thing}`);
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
  const snapshot = service.snapshot();
  const later = countLater(service, snapshot, realNow);
  if (later.length > 0) {
    throw refuse(
      409,
      `The clock cannot go back to ${new Date(realNow).toISOString()}: later than that are ${later.join(", ")}. A reset takes them, and the time, back`,
    );
  }
  service.restore({ ...snapshot, at: realNow });
};
