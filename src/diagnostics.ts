import { type CreditKind, isAction, priceOf } from "./contract/actions.ts";
import type { Job } from "./contract/jobs.ts";
import type { AnyAdGenError } from "./errors/errors.ts";
import type { Wait } from "./polling/wait.ts";

/* Publishes to channels of Node's `node:diagnostics_channel`, for tracers. */

/** Events of the tracing channels, by channel. Only what begins an event is there at the beginning. */
export interface TraceEvents {
  /** A submission. */
  "adgen-sdk:submit": {
    /** Action of the job; absent for one that the API's document does not name. */
    readonly action?: string | undefined;
    /** Id of `once`. */
    readonly once?: string | undefined;
    /** Documented price of the request; absent where only the service knows it, as for a video. */
    readonly credits?: { readonly kind?: CreditKind; readonly amount: number } | undefined;
    /** Id of the job that was made. */
    jobId?: string | undefined;
    /** Set by an answer; of a submission that failed, `error.outcome` says it. */
    outcome?: "accepted" | undefined;
    /** Attempts that were made; 0 for the answer of an earlier call. */
    attempts?: number | undefined;
    /** Error that ended it. */
    error?: AnyAdGenError;
  };
  /** A call of `jobs.get` or `jobs.list`, of waits and of your own. */
  "adgen-sdk:poll": {
    /** Id of the job; absent for a list of jobs. */
    readonly jobId: unknown;
    /** Status of the job; absent for a list. */
    status?: string | undefined;
    /** Attempts that were made. */
    attempts?: number | undefined;
    /** Error that ended it. */
    error?: AnyAdGenError;
  };
  /** A wait for one job; of `watchJob`, one step. */
  "adgen-sdk:wait": {
    /** Id of the job. */
    readonly jobId?: string | undefined;
    /** Action of the job, where it is known. */
    readonly action?: string | undefined;
    /** Status that the job was last seen in. */
    status?: string | undefined;
    /** Polls of the wait. */
    polls?: number | undefined;
    /** Error that ended it. */
    error?: AnyAdGenError;
  };
}

type SubmitTrace = TraceEvents["adgen-sdk:submit"];

/** A tracing channel of Node, as far as it is used here. */
interface Channel {
  readonly start: { readonly hasSubscribers: boolean };
  readonly asyncEnd: { readonly hasSubscribers: boolean };
  tracePromise(traced: () => Promise<void>, event: object): Promise<void>;
}

interface Runtime {
  readonly process?: {
    getBuiltinModule?(
      name: string,
    ): { readonly tracingChannel?: (name: string) => Channel } | undefined;
  };
}

const channelOf = (name: string): Channel | undefined =>
  (globalThis as Runtime).process
    ?.getBuiltinModule?.("node:diagnostics_channel")
    ?.tracingChannel?.(name);

/** Runs something, and publishes it where somebody listens. Node adds the error to the event. */
const trace = async <Name extends keyof TraceEvents, Value>(
  name: Name,
  event: TraceEvents[Name],
  run: () => Promise<Value>,
  end: (value: Value) => object,
): Promise<Value> => {
  const channel = channelOf(name);
  // Bun's channels as a whole do not know.
  const isHeard = channel?.start.hasSubscribers || channel?.asyncEnd.hasSubscribers;
  if (channel === undefined || !isHeard) return run();
  let value: Value | undefined;
  await channel.tracePromise(async () => {
    value = await run();
    Object.assign(event, end(value));
  }, event);
  return value as Value;
};

/** The documented price of a request; `undefined` where only the service knows it. */
const creditsOf = (fields: SubmitFields): SubmitTrace["credits"] => {
  const { credit: kind, variations: amount } = priceOf(fields);
  if (kind === null) return { amount: 0 };
  return kind === "image" && amount !== undefined ? { kind, amount } : undefined;
};

type SubmitFields = Readonly<Record<string, unknown>>;

/** An answer to a call, and the attempts that it took. */
interface Answered<Data> {
  readonly data: Data;
  readonly fields: { readonly attempts?: number | undefined };
}

export const traceSubmit = <Value extends Answered<{ readonly job_id: string }>>(
  fields: SubmitFields,
  once: string | undefined,
  run: () => Promise<Value>,
): Promise<Value> => {
  const action = isAction(fields["action"]) ? fields["action"] : undefined;
  const event: SubmitTrace = { action, once, credits: creditsOf(fields) };
  return trace("adgen-sdk:submit", event, run, ({ data, fields: { attempts } }) => ({
    jobId: data.job_id,
    outcome: "accepted",
    attempts,
  }));
};

/** Of a call that asks for a job, or for a list of jobs. */
export const tracePoll = <Value extends Answered<object>>(
  jobId: unknown,
  run: () => Promise<Value>,
): Promise<Value> =>
  trace("adgen-sdk:poll", { jobId }, run, ({ data, fields: { attempts } }) => ({
    status: (data as { readonly status?: string }).status,
    attempts,
  }));

export const traceWait = <
  Value extends { readonly job?: Job | undefined; readonly error?: unknown },
>(
  { ticket: { jobId, action } }: Pick<Wait, "ticket">,
  run: () => Promise<Value & Pick<Wait, "ticket">>,
): Promise<Value> =>
  trace("adgen-sdk:wait", { jobId, action }, run, ({ job, error, ticket: { polls } }) => ({
    status: job?.status,
    polls,
    ...(error !== undefined && { error }),
  }));
