import { describeValue } from "../client/errors/text.ts";
import { refuseWrite } from "../client/options/rules.ts";
import type { PaidCall } from "../client/options/submissions.ts";
import type { Action } from "../contract/actions.ts";
import { type StoreClock, startCountdown } from "./store/clock.ts";
import { digestOf, excerptOf } from "./store/digest.ts";
import type { Attempt } from "./store/record.ts";
import type { SubmissionsConfig } from "./submissions-options.ts";

/** A paid call whose options are checked. */
export interface PreparedCall {
  readonly id: string;
  readonly attempt: Omit<Attempt, "token">;
  readonly digest: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly leftMs: () => number;
  /** Returns the time for which this call may still wait for another call with its id. */
  readonly waitLeftMs: () => number;
}

/** Time that the service may take to list a new job, in milliseconds. */
const listingMs = 15_000;

/** Maximum time of an attempt where the call does not give one, in milliseconds. */
const defaultAttemptMs = 60_000;

const maxIdLength = 1_024;

const requireId = (id: unknown): string => {
  if (typeof id !== "string" || id === "" || id.length > maxIdLength) {
    return refuseWrite(
      `once must be text of 1 to ${maxIdLength} characters, got ${describeValue(id)}`,
    );
  }
  // UTF-8 replaces lone surrogates, so two different ids would collide.
  const isHalf = /\p{Surrogate}/u.test(id);
  return isHalf ? refuseWrite(`once has half of a surrogate pair: ${describeValue(id)}`) : id;
};

/** Checks the id of a paid call, collects the facts for its record, and starts its countdown. */
export const prepareCall = (
  paid: PaidCall,
  { lateArrivalMs, keepMs }: Pick<SubmissionsConfig, "lateArrivalMs" | "keepMs">,
  clock: StoreClock,
): PreparedCall => {
  const { method, body, origin, ttlMs, attemptMs = 0, timeoutMs, signal } = paid;
  const { waitMs = timeoutMs, digest = digestOf([method, origin, body]) } = paid;
  const leftMs = startCountdown(clock, timeoutMs);
  const waitLeftMs = () => leftMs() - Math.max(0, timeoutMs - waitMs);
  const facts = {
    method,
    submittedAt: new Date(clock.wall()).toISOString(),
    request: excerptOf(body),
    // The action is kept as it was sent. The service decides whether it supports the action.
    action: typeof body["action"] === "string" ? (body["action"] as Action) : undefined,
    digest,
  };
  const attempt = {
    facts,
    lateArrivalMs: lateArrivalMs ?? Math.max(defaultAttemptMs, attemptMs) + listingMs,
    ttlMs,
    keepMs,
  };
  return { id: requireId(paid.once), attempt, digest, timeoutMs, signal, leftMs, waitLeftMs };
};
