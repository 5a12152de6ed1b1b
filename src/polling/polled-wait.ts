import type { JobRef } from "../resources/job-ref.ts";
import type { Seen } from "./advance.ts";
import type { PollConfig } from "./poll-options.ts";
import type { WaitTicket } from "./poll-ticket.ts";
import type { Semaphore } from "./semaphore.ts";

/**
 * End of a wait's standing still: its turn, the end of the time, the job's sight, or the demand for
 * a poll of its own. The function is told what that poll sees.
 */
export type Given = "turn" | "late" | Seen | "alone" | ((seen: Seen | undefined) => void);

/** A wait, as those know it that it shares with others. */
export interface PolledWait {
  readonly ref: JobRef;
  readonly config: PollConfig;
  readonly semaphore: Semaphore;
  readonly ticket: WaitTicket;
  /** Time of its last poll; its begin, before. */
  readonly polledAt: number;
  /** Since when it asks for its job: the time of a last poll counts from then on. */
  readonly dueSince: number;
  readonly isSleeping: boolean;
  /** Stands still until a time, an abort, or `resume`. Calls `undo` when it goes on. */
  park(until: number | undefined, undo: () => void): Promise<Given | undefined>;
  resume(given?: Given): void;
  /** Has it poll now, if it stands still. */
  pollNow(): void;
  /** Has it poll now, or as soon as it may after the last poll. */
  wake(): void;
}
