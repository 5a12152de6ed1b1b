import { actions } from "../../src/contract/actions.ts";
import { jobExpiryMs } from "../../src/contract/jobs.ts";
import { isDeeperThan, maxDepth } from "../domain/depth.ts";
import type { JobEnd } from "../domain/job-timeline.ts";
import { checkTimes } from "../faults/fault-checks.ts";
import { refusal, requireKnown, requireNumber } from "../options/require.ts";
import type { JobOutcome, OutcomeOptions } from "./outcome.ts";

/** What a job says is JSON: a copy, so that nobody can change it afterwards. */
export const copyJson = (option: string, value: unknown): unknown => {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // Cycles and BigInt: refused below.
  }
  const copy = text === undefined ? undefined : JSON.parse(text);
  if (copy === undefined || isDeeperThan(maxDepth, copy)) {
    throw refusal(option, `JSON, at most ${maxDepth} levels deep`);
  }
  return copy;
};

export const checkReason = (option: string, reason: unknown): string => {
  if (typeof reason !== "string") throw refusal(option, "text");
  return reason;
};

export const checkOutcome = (outcome: JobOutcome): JobEnd => {
  requireKnown("outcome", outcome, ["fail", "result", "takesMs"]);
  const { fail, takesMs } = outcome;
  if (fail !== undefined) checkReason("outcome.fail", fail);
  if (fail !== undefined && "result" in outcome) {
    throw refusal("outcome", "a failure or a result, not both");
  }
  if (takesMs !== undefined) {
    requireNumber("outcome.takesMs", takesMs, "milliseconds, zero or more", (ms) => ms >= 0);
  }
  if (fail === undefined && takesMs === undefined && !("result" in outcome)) {
    throw refusal("outcome", "an object of fail, result or takesMs");
  }
  return {
    ...(fail !== undefined && { fail }),
    ...("result" in outcome && { result: copyJson("outcome.result", outcome.result) }),
    // Whatever takes so long expires: no need for an `Infinity` that JSON cannot say.
    ...(takesMs !== undefined && { takesMs: Math.min(takesMs, 2 * jobExpiryMs) }),
  };
};

/** `isOfAccount`: which account it is for has been said already. */
export const checkOutcomeOptions = (
  options: OutcomeOptions,
  isOfAccount: boolean,
): OutcomeOptions => {
  const known = isOfAccount ? ["times", "action"] : ["times", "action", "account"];
  requireKnown("outcome options", options, known);
  const { times, action, account } = options;
  if (times !== undefined) checkTimes("outcome's times", times);
  if (action !== undefined && !actions.includes(action)) {
    throw refusal("outcome's action", `one of ${actions.join(", ")}`);
  }
  if (account !== undefined && typeof account !== "string") {
    throw refusal("outcome's account", "an API key");
  }
  return options;
};
