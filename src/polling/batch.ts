import type { Job } from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { JobReader } from "../resources/job-ref.ts";
import type { Seen } from "./advance.ts";
import type { Alarm } from "./alarm.ts";
import type { Clock } from "./clock.ts";
import type { PolledWait } from "./polled-wait.ts";

/** A reader that may also list jobs, as `client.jobs` does. */
export interface JobLister extends JobReader {
  list?(query: { limit?: number }, options: CallOptions): Promise<Page<Job>>;
}

/** Parts of a poller that its loader needs. */
export interface LoaderHost {
  readonly reader: JobReader;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly waits: ReadonlySet<PolledWait>;
  readonly pollSingly: (
    wait: PolledWait,
    since: number,
    longestMs?: number,
  ) => Promise<Seen | undefined>;
}

/** Answer of a list to one wait: the job, or to poll singly, and to whom that matters. */
export type Answer = { readonly seen: Seen } | { readonly tell?: (seen: Seen | undefined) => void };

/** One list in place of many polls. */
export interface Batch {
  /** Waits that need its answer. */
  readonly entries: Map<PolledWait, (answer: Answer) => void>;
  readonly controller: AbortController;
  /** One of its waits was due, and not only begun or woken: all see the list. */
  isDue: boolean;
  /** It precedes the deadline's error of some of its waits. */
  isLast: boolean;
  startedAt: number;
  endsAt: number;
}
