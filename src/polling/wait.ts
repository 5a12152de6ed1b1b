import type { JobRef } from "../request/job-ref.ts";
import type { Seen } from "./advance.ts";
import type { PollConfig } from "./poll-options.ts";
import type { WaitTicket } from "./poll-ticket.ts";

/** Why a wait goes on: it has its turn, its time is over, or a list has shown its job. */
export type Given = "turn" | "late" | Seen;

/** Lets a number of polls be under way at once; the others stand in line, first come first served. */
export interface Semaphore {
  free: number;
  readonly line: Set<Wait>;
}

export const createSemaphore = (free = 6): Semaphore => ({ free, line: new Set() });

/** One wait in this process. Its times are of the poller's clock. */
export interface Wait {
  readonly ref: JobRef;
  readonly config: PollConfig;
  readonly semaphore: Semaphore;
  ticket: WaitTicket;
  /** Time of its last poll; its begin, before. */
  polledAt: number;
  pollAt: number;
  /** Time for a poll by itself, which it makes as soon as it may. */
  urgentMs?: number | undefined;
  /** Status in a list that the next poll by itself is held against. */
  listedStatus?: string | undefined;
  /** A list may show its job: it sleeps, or has asked for one. */
  isOpen: boolean;
  /** When a list first showed the job finished. */
  listedAt?: number | undefined;
  /** Has it go on; there while it stands still. */
  resume?: ((given?: Given) => void) | undefined;
}

/** Has a wait poll by itself: now, or as soon as it may after its last poll. */
export const wake = (wait: Wait, longestMs: number = Number.POSITIVE_INFINITY): void => {
  wait.urgentMs = longestMs;
  if (wait.isOpen) wait.resume?.();
};
