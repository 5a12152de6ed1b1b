import { type CreditKind, isAction, priceOf } from "./contract/actions.ts";
import type { Outcome } from "./errors/error-fields.ts";
import type { AnyAdGenError } from "./errors/errors.ts";

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
    /** Outcome of the submission. */
    outcome?: Outcome | "accepted" | undefined;
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

interface HasSubscribers {
  readonly hasSubscribers: boolean;
}

/** A tracing channel of Node, as far as it is used here. */
interface Channel {
  readonly start: HasSubscribers;
  readonly asyncEnd: HasSubscribers;
  readonly error: HasSubscribers;
  tracePromise(traced: () => Promise<void>, told: object): Promise<void>;
}

/** What a runtime with such channels has. */
interface Runtime {
  readonly process?: {
    getBuiltinModule?(
      name: string,
    ): { readonly tracingChannel?: (name: string) => Channel } | undefined;
  };
}

type Name = keyof TraceEvents;

/** Opened at the first use: loading the package does nothing. */
const channels: { [Key in Name]?: Channel | undefined } = {};

const channelOf = (name: Name): Channel | undefined => {
  const { process: node } = globalThis as Runtime;
  channels[name] ??= node?.getBuiltinModule?.("node:diagnostics_channel")?.tracingChannel?.(name);
  return channels[name];
};

/** Asks each part of a channel: Bun's channels as a whole do not know. */
const isHeard = ({ start, asyncEnd, error }: Channel): boolean =>
  start.hasSubscribers || asyncEnd.hasSubscribers || error.hasSubscribers;

/** Runs something; where somebody listens, a channel tells of it. */
const trace = <Value>(
  name: Name,
  run: () => Promise<Value>,
  begin: () => object,
  end: (value: Value) => object,
): Promise<Value> => {
  const channel = channelOf(name);
  if (channel === undefined || !isHeard(channel)) return run();
  const told: { error?: unknown } = begin();
  let result: Promise<Value> | undefined;
  const traced = async (): Promise<void> => {
    result = run();
    try {
      Object.assign(told, end(await result));
    } catch (error) {
      const { outcome, attempts } = error as Partial<AnyAdGenError>;
      Object.assign(told, { outcome, attempts });
      throw error;
    }
    // The end of a wait holds its error beside the job.
    if (told.error !== undefined) throw told.error;
  };
  // Whatever subscribers do to the event, or to its publication, ends nothing.
  const settle = (failure: unknown): Promise<Value> => {
    if (result === undefined) throw failure;
    return result;
  };
  return channel.tracePromise(traced, told).then(settle, settle);
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
): Promise<Value> =>
  trace(
    "adgen-sdk:submit",
    run,
    (): SubmitTrace => ({
      action: isAction(fields["action"]) ? fields["action"] : undefined,
      once,
      credits: creditsOf(fields),
    }),
    ({ data, fields: { attempts } }) => ({ jobId: data.job_id, outcome: "accepted", attempts }),
  );

/** Of a call that asks for a job, or for a list of jobs. */
export const tracePoll = <Value extends Answered<object>>(
  jobId: unknown,
  run: () => Promise<Value>,
): Promise<Value> =>
  trace(
    "adgen-sdk:poll",
    run,
    (): TraceEvents["adgen-sdk:poll"] => ({ jobId }),
    ({ data, fields: { attempts } }) => ({
      status: (data as { readonly status?: string }).status,
      attempts,
    }),
  );

/** The parts of a wait that are told. */
interface Waiting {
  readonly ticket: {
    readonly jobId: string | undefined;
    readonly action?: string | undefined;
    readonly polls: number;
  };
}

export const traceWait = <Value extends { readonly job?: { readonly status: string } | undefined }>(
  wait: Waiting,
  run: () => Promise<Value>,
): Promise<Value> =>
  trace(
    "adgen-sdk:wait",
    run,
    (): TraceEvents["adgen-sdk:wait"] => ({ jobId: wait.ticket.jobId, action: wait.ticket.action }),
    ({ job, ...rest }) => ({ ...rest, status: job?.status, polls: wait.ticket.polls }),
  );
