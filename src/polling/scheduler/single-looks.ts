import { isAdGenError } from "../../errors/errors.ts";
import type { JobReader } from "../../resources/job-ref.ts";
import { lastLookMsOf } from "../plan-look.ts";
import type { Gate, Look, Wait } from "../wait.ts";
import type { Clock } from "./clock.ts";

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

  const openGate = (gate: Gate): void => {
    for (const wait of gate.line) {
      if (gate.free === 0) return;
      gate.line.delete(wait);
      const now = clock.now();
      if (now < host.blockedUntil() && now < wait.deadlineAt) {
        wait.place = "resting";
        host.plan(wait);
      } else {
        void look(wait, now);
      }
    }
  };

  /** Looks at one job. The time in line, or in a list, is part of the last look's time. */
  const look = async (wait: Wait, askedAt: number): Promise<void> => {
    const { gate, ref, config, deadlineAt } = wait;
    const leftMs = deadlineAt - askedAt;
    const isLast = leftMs < 1;
    const spentMs = Math.max(0, askedAt - Math.max(deadlineAt, wait.askedAt));
    const totalTimeoutMs = Math.max(1, isLast ? lastLookMsOf(config) - spentMs : leftMs);
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
      const job = await get();
      host.endLook(wait, { job, retryAfterMs, askedAt, isLast });
    } catch (error) {
      if (!isAdGenError(error)) host.end(wait, error);
      else host.endLook(wait, { failure: error, retryAfterMs, askedAt, isLast });
    }
    gate.free++;
    openGate(gate);
  };

  return (wait) => {
    // The time since the deadline counts from the list on that has shown the job.
    if (wait.place !== "list") wait.askedAt = clock.now();
    wait.place = "line";
    wait.gate.line.add(wait);
    openGate(wait.gate);
  };
};
