import { showCaller } from "../errors/adgen-error.ts";
import { sleep } from "../internal/sleep.ts";
import type { ClientConfig } from "../options/client-options.ts";
import { callHooks } from "../options/hooks.ts";
import { makeAttempt } from "./attempt.ts";
import type { Call, CheckedResponse, Transport } from "./call.ts";
import { leftMsOf } from "./call-time.ts";
import { interpret, isKeptByProxy } from "./interpret.ts";
import { createCallPreparer } from "./prepare-call.ts";
import { retryDelayMs } from "./retry.ts";
import { createRequest } from "./send-request.ts";

const send = async (call: Call): Promise<CheckedResponse> => {
  const { name: operation, method, path, signal, maxRetries, config } = call;
  const keys = new Set<string>();
  let { outcome } = call;

  for (let attempt = 1; ; attempt++) {
    const begunAt = performance.now();
    const end = await makeAttempt(call, attempt, keys, createRequest(call));
    const answer = interpret(call, end, outcome);
    const { error } = answer;
    if (error === undefined) return answer;
    outcome = error.outcome;
    const { code, status, requestId } = error;
    const durationMs = performance.now() - begunAt;
    const leftMs = leftMsOf(call);
    const isKept = isKeptByProxy(call, end);
    const retryInMs = retryDelayMs({ method, isKept, error, attempt, maxRetries, leftMs });
    callHooks(config, "onFailure", {
      ...{ operation, method, path, attempt },
      ...{ code, status, requestId, outcome, durationMs, retryInMs },
    });
    if (retryInMs === undefined) throw showCaller(error);
    // Wait one millisecond more, because timers may fire early. An abort is seen by the next
    // attempt.
    await sleep(retryInMs + 1, signal);
    // The pause may have taken longer than planned. An attempt without time left would hide this
    // error.
    if (leftMsOf(call) < 5 && !signal?.aborted) throw showCaller(error);
  }
};

export const createTransport = (config: ClientConfig): Transport => ({
  prepareCall: createCallPreparer(config),
  // The endpoint's field types have been checked, which the compiler can't follow.
  send: send as Transport["send"],
});
