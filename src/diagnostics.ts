import { type CreditKind, creditOfAction, isAction } from "./contract/actions.ts";
import type { Outcome } from "./errors/error-fields.ts";
import type { AnyAdGenError } from "./errors/errors.ts";

/*
 * Publishes to channels of Node's `node:diagnostics_channel`, for tracers. Bundles for browsers get
 * no-diagnostics.ts in the place of this module: the field "browser" of package.json says so.
 */

/** End of something that a channel tells; nothing of it is there at the beginning. */
interface TraceEnd {
  /** Error that ended it. */
  error?: AnyAdGenError;
}

/** A submission, as the channel `adgen-sdk:submit` tells it. */
export interface SubmitTrace extends TraceEnd {
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
}

/** A call of `jobs.get`, as the channel `adgen-sdk:poll` tells it; of waits and of your own. */
export interface PollTrace extends TraceEnd {
  /** Id of the job; absent for a list of jobs. */
  readonly jobId: unknown;
  /** Status of the job; absent for a list. */
  status?: string | undefined;
  /** Attempts that were made. */
  attempts?: number | undefined;
}

/** A wait for one job, as the channel `adgen-sdk:wait` tells it; of `watchJob`, one step. */
export interface WaitTrace extends TraceEnd {
  /** Id of the job. */
  readonly jobId?: string | undefined;
  /** Action of the job, where it is known. */
  readonly action?: string | undefined;
  /** Status that the job was last seen in. */
  status?: string | undefined;
  /** Polls of the wait. */
  polls?: number | undefined;
}

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

/** Global objects of runtimes that have such channels. */
interface Runtime {
  readonly process?: {
    getBuiltinModule?(
      name: string,
    ): { readonly tracingChannel?: (name: string) => Channel } | undefined;
  };
}

type Channels = Readonly<Record<"submit" | "poll" | "wait", Channel>> | Record<string, undefined>;

/** Opens the channels of this runtime; there may be none. */
const openChannels = (): Channels => {
  const { process: node } = globalThis as Runtime;
  const open = node?.getBuiltinModule?.("node:diagnostics_channel")?.tracingChannel;
  if (open === undefined) return {};
  const [submit, poll, wait] = [
    open("adgen-sdk:submit"),
    open("adgen-sdk:poll"),
    open("adgen-sdk:wait"),
  ];
  return { submit, poll, wait };
};

/** Opened at the first use: loading the package does nothing. */
let channels: Channels | undefined;

/** Asks each part of a channel: Bun's channels as a whole do not know. */
const isHeard = ({ start, asyncEnd, error }: Channel): boolean =>
  start.hasSubscribers || asyncEnd.hasSubscribers || error.hasSubscribers;

/** Runs something; where somebody listens, a channel tells of it. */
const trace = <Value>(
  name: "submit" | "poll" | "wait",
  run: () => Promise<Value>,
  begin: () => object,
  end: (value: Value) => object,
): Promise<Value> => {
  channels ??= openChannels();
  const channel: Channel | undefined = channels[name];
  if (channel === undefined || !isHeard(channel)) return run();
  const told: TraceEnd = begin();
  const ended: { value?: Value; thrown?: { readonly error: unknown } } = {};
  const traced = async (): Promise<void> => {
    try {
      ended.value = await run();
    } catch (error) {
      ended.thrown = { error };
    }
    const { value, thrown } = ended;
    // Not asked whether it is an error of ours: this file would hold a second copy of them.
    const { outcome, attempts } = (thrown?.error ?? {}) as Partial<AnyAdGenError>;
    Object.assign(told, thrown ? { outcome, attempts } : end(value as Value));
    // The end of a wait holds its error beside the job.
    if (thrown) throw thrown.error;
    if (told.error !== undefined) throw told.error;
  };
  const settle = (failure: unknown): Value => {
    if (ended.thrown) throw ended.thrown.error;
    if (!("value" in ended)) throw failure;
    return ended.value as Value;
  };
  // Whatever subscribers do to the event, or to its publication, ends nothing.
  return channel.tracePromise(traced, told).then(settle, settle);
};

/** The documented price of a request; `undefined` where only the service knows it. */
const creditsOf = ({ action, variations = 1 }: SubmitFields): SubmitTrace["credits"] => {
  const kind = isAction(action) ? creditOfAction[action] : undefined;
  if (kind === null) return { amount: 0 };
  return kind === "image" && typeof variations === "number"
    ? { kind, amount: variations }
    : undefined;
};

type SubmitFields = Readonly<Record<string, unknown>>;

/** An answer to a call, and the attempts that it took. */
interface Answered<Data> {
  readonly data: Data;
  readonly fields: { readonly attempts?: number | undefined };
}

/** Tells of a submission. */
export const traceSubmit = <Value extends Answered<{ readonly job_id: string }>>(
  fields: SubmitFields,
  once: string | undefined,
  run: () => Promise<Value>,
): Promise<Value> =>
  trace(
    "submit",
    run,
    (): SubmitTrace => ({
      action: isAction(fields["action"]) ? fields["action"] : undefined,
      once,
      credits: creditsOf(fields),
    }),
    ({ data, fields: { attempts } }) => ({ jobId: data.job_id, outcome: "accepted", attempts }),
  );

/** Tells of a call that asks for a job, or for a list of jobs. */
export const tracePoll = <Value extends Answered<object>>(
  jobId: unknown,
  run: () => Promise<Value>,
): Promise<Value> =>
  trace(
    "poll",
    run,
    (): PollTrace => ({ jobId }),
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

/** Tells of a wait. */
export const traceWait = <Value extends { readonly job?: { readonly status: string } | undefined }>(
  wait: Waiting,
  run: () => Promise<Value>,
): Promise<Value> =>
  trace(
    "wait",
    run,
    (): WaitTrace => ({ jobId: wait.ticket.jobId, action: wait.ticket.action }),
    ({ job, ...rest }) => ({ ...rest, status: job?.status, polls: wait.ticket.polls }),
  );
