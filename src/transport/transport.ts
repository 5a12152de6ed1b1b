import { abortedError, failedError, judge, timeoutError } from "../answer/judge.ts";
import { type EndpointName, endpoints } from "../contract/endpoint.ts";
import { failureEnvelopeSchema, successEnvelopeSchema } from "../contract/envelope.ts";
import { schemaOf } from "../contract/schema.ts";
import { addFields, showCaller } from "../errors/adgen-error.ts";
import type { Outcome } from "../errors/error-fields.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { notify } from "../hooks.ts";
import type { ClientConfig } from "../options/client-options.ts";
import { refuseOption } from "../options/rules.ts";
import { sleep } from "../sleep.ts";
import { makeAttempt } from "./attempt.ts";
import type { Call, CallInput, Send, TimeLimit } from "./call.ts";
import { finishAnswer } from "./finish-answer.ts";
import { createCallPreparer } from "./prepare-call.ts";
import { retryDelayMs } from "./retry.ts";
import { runWithin } from "./run-within.ts";

/** Gives the time of an attempt: its own, or what is left of the call's. */
const limitOf = ({ options }: Call, leftMs: number): TimeLimit => {
  const { attemptTimeoutMs, totalTimeoutMs } = options;
  // A call's `timeoutMs` alone is the time for all of it, too.
  const isOwn = attemptTimeoutMs <= leftMs || attemptTimeoutMs === totalTimeoutMs;
  return {
    ms: Math.max(1, Math.min(attemptTimeoutMs, leftMs)),
    label: isOwn ? `${attemptTimeoutMs} ms (timeoutMs)` : `${totalTimeoutMs} ms (totalTimeoutMs)`,
  };
};

/** Lets the call's input prepare, as by a record in a journal. Nothing has been sent by then. */
const prepare = async (call: Call, { ms, label }: TimeLimit, outcome: Outcome | undefined) => {
  const stoppedBy = await runWithin(ms, call.options.signal, async () => {
    await call.input.prepare?.();
    return true;
  }).catch((error) => {
    throw showCaller(error);
  });
  if (stoppedBy === "signal") throw abortedError(call, { outcome, attempts: 0 });
  if (stoppedBy === "time") {
    throw timeoutError(
      call,
      { outcome, attempts: 0 },
      label,
      "was not sent: its journal timed out",
    );
  }
};

/**
 * Makes every schema that an answer is checked by. zod fails at that where other code has polluted
 * `Object.prototype`; found out with an answer, it would cost a paid job's result.
 */
const makeSchemas = (): boolean => {
  try {
    for (const { answer } of Object.values(endpoints)) schemaOf(answer);
    for (const envelope of [successEnvelopeSchema, failureEnvelopeSchema]) schemaOf(envelope);
    return true;
  } catch {
    return false;
  }
};

/** Made at import, before other code can do harm. The mark lets bundlers leave it out. */
const canCheckAnswers = /* @__PURE__ */ makeSchemas();

/** Makes attempts until one succeeds, or fails in a way that forbids another. */
const makeCall = async (call: Call): Promise<unknown> => {
  const { method, path, options, config } = call;
  const { signal, maxRetries, totalTimeoutMs } = options;
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const leftMs = () => totalTimeoutMs - elapsedMs();
  const tell = (attempts: number) => ({ attempts, elapsedMs: Math.round(elapsedMs()) });
  let outcome: Outcome | undefined = call.isWrite ? "not-sent" : undefined;

  if (call.input.prepare !== undefined && !signal?.aborted) {
    await prepare(call, limitOf(call, leftMs()), outcome);
  }
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) throw abortedError(call, { outcome, ...tell(attempt - 1) });
    const leftAtStartMs = leftMs();
    const limit = limitOf(call, leftAtStartMs);
    const ending = await makeAttempt(call, attempt, limit);
    try {
      const judged = judge(call, ending, outcome);
      const usedMs = leftAtStartMs - leftMs();
      return await finishAnswer(call, judged, limit.ms - usedMs, limit.label);
    } catch (thrown) {
      const error: AnyAdGenError = isAdGenError(thrown)
        ? thrown
        : failedError(call, ending, outcome, thrown);
      addFields(error, tell(attempt));
      outcome = error.outcome;
      const waitMs = retryDelayMs({ method, error, attempt, maxRetries, leftMs: leftMs() });
      if (waitMs === undefined) throw showCaller(error);
      const { code, status, requestId } = error;
      const event = { method, path, attempt, code, status, requestId, waitMs };
      notify("onRetry", config.hooks.onRetry, event);
      // One more, because timers may fire a millisecond early. The loop's head sees an abort.
      await sleep(waitMs + 1, signal);
      // The pause may have taken longer: an attempt without time would hide this error.
      if (leftMs() < 5 && !signal?.aborted) throw showCaller(error);
    }
  }
};

/** Makes the function by which the resources make calls. */
export const createTransport = (config: ClientConfig): Send => {
  if (!canCheckAnswers) {
    refuseOption("answers cannot be checked here: other code has polluted Object.prototype");
  }
  const prepareCall = createCallPreparer(config);
  const send = async (name: EndpointName, input: CallInput, options?: object) =>
    makeCall(prepareCall(name, input, options));
  // The endpoint's schema has checked the data, which the compiler cannot follow.
  return send as Send;
};
