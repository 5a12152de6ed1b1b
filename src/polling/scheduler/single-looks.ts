import { isAdGenError } from "../../errors/errors.ts";
import type { JobReader } from "../../resources/job-ref.ts";
import { lastLookEndsAt } from "../plan-look.ts";
import type { Gate, Look, Wait } from "../wait.ts";
import type { Clock } from "./clock.ts";

/** All waits of a list stand still until the look that it is held against has ended. */
const longestProbeMs = 10_000;

/** The parts of a scheduler that single looks need. */
export interface SingleLookHost {
  readonly reader: JobReader;
  readonly clock: Clock;
  /** A 429 holds up looks until then. */
  readonly blockedUntil: () => number;
  /** Plans anew a wait that was held up. */
  readonly plan: (wait: Wait) => void;
  readonly endLook: (wait: Wait, seen: Look) => void;
  readonly end: (wait: Wait, error: unknown) => void;
}

/** Makes the function by which a wait stands in line, and looks at its job in its turn. */
export const createSingleLooks = (host: SingleLookHost): ((wait: Wait) => void) => {
  const { reader, clock } = host;

  /** Ends a wait that has stood in line for all the time of its last look. */
  const endAtLast = (wait: Wait, now: number): boolean => {
    const isOver = now >= lastLookEndsAt(wait);
    if (isOver) host.endLook(wait, { askedAt: now, isLast: true });
    return isOver;
  };

  const openGate = (gate: Gate): void => {
    for (const wait of gate.line) {
      if (gate.free === 0) return;
      gate.line.delete(wait);
      const now = clock.now();
      if (endAtLast(wait, now)) continue;
      if (now < host.blockedUntil() && now < wait.deadlineAt) {
        wait.place = "resting";
        host.plan(wait);
      } else {
        void look(wait, now);
      }
    }
  };

  /** Looks at one job. */
  const look = async (wait: Wait, askedAt: number): Promise<void> => {
    const { gate, ref, config } = wait;
    const leftMs = wait.deadlineAt - askedAt;
    const isLast = leftMs < 1;
    const longestMs = wait.list === undefined ? leftMs : Math.min(leftMs, longestProbeMs);
    const totalTimeoutMs = Math.max(1, isLast ? lastLookEndsAt(wait) - askedAt : longestMs);
    let retryAfterMs: number | undefined;
    gate.free--;
    wait.place = "look";
    // Asynchronous also where the reader throws: a long line must not fill the stack.
    const get = async () =>
      reader.get(ref, {
        signal: config.signal,
        totalTimeoutMs,
        maxRetries: 0,
        onResponse: (response) => {
          retryAfterMs = response.retryAfterMs;
        },
      });
    try {
      const seen = await get().then(
        (job) => ({ job }),
        (failure: unknown) => {
          if (isAdGenError(failure)) return { failure };
          throw failure;
        },
      );
      host.endLook(wait, { ...seen, retryAfterMs, askedAt, isLast });
    } catch (error) {
      host.end(wait, error);
    } finally {
      gate.free++;
      openGate(gate);
    }
  };

  return (wait) => {
    if (wait.place === "line" && endAtLast(wait, clock.now())) return;
    // The time since the deadline counts from the list on that has shown the job.
    if (wait.place !== "list") wait.askedAt = clock.now();
    wait.place = "line";
    wait.gate.line.add(wait);
    openGate(wait.gate);
  };
};
