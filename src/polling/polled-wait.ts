import type { JobRef } from "../resources/job-ref.ts";
import type { Seen } from "./advance.ts";
import type { PollConfig } from "./poll-options.ts";
import type { WaitTicket } from "./poll-ticket.ts";
import type { Semaphore } from "./semaphore.ts";

/** A wait, as those know it that it shares with others. */
export interface PolledWait {
  readonly ref: JobRef;
  readonly config: PollConfig;
  readonly semaphore: Semaphore;
  readonly ticket: WaitTicket;
  /** Time of its last poll; its begin, before. */
  readonly polledAt: number;
  readonly isSleeping: boolean;
  /** The one way to stand still: `begin` gets the function that ends it; so does an abort. */
  suspend<Answer>(
    begin: (resume: (answer?: Answer) => void) => () => void,
  ): Promise<Answer | undefined>;
  /** Shows it the job while it sleeps. */
  offer(seen: Seen): void;
  /** Has it poll now, if it sleeps. */
  pollNow(): void;
  /** Has it poll now, or as soon as it may after the last poll. */
  wake(): void;
}

/** Polls one job. The time of a last poll counts from `since` on, when the wait began to ask. */
export type PollSingly = (
  wait: PolledWait,
  since: number,
  longestMs?: number,
) => Promise<Seen | undefined>;
