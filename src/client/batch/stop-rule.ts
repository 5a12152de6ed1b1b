import { accountWideCodes, locallyDecidedCodes } from "../errors/code-groups.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { oneLine } from "../errors/text.ts";
import { nameOfRequest } from "./requests.ts";

/** The failure after which nothing more is sent. */
export interface Stop {
  readonly error: AnyAdGenError;
  /** The reason, for the messages of requests that were not sent. */
  readonly why: string;
}

/**
 * Whether a failure says nothing about the next request, because its own record or the caller's
 * budget caused it and nothing was sent. A batch that is run again meets old submissions in doubt,
 * and must get past them.
 */
const isDecidedHere = ({ code, outcome }: AnyAdGenError): boolean =>
  locallyDecidedCodes.includes(code) || (code === "payment_required" && outcome === "not-sent");

/**
 * Whether the next request is likely to fail for the same reason: the service is down or limits
 * this caller, or this machine can't send. Other refusals are about their own request.
 */
const isShared = ({ code, outcome }: AnyAdGenError): boolean =>
  code === "rate_limited" || outcome !== "refused";

/**
 * Creates the rule of when to stop: at the first 401 or 402, or after `stopAfterFailures` shared
 * failures in a row.
 */
export const createStopRule = (stopAfterFailures: number) => {
  let failures = 0;
  return {
    /** Notes an answered submission. */
    noteAnswer: (): void => {
      failures = 0;
    },
    /** Notes a failed submission. Returns the reason to stop, if the batch must stop. */
    noteFailure: (error: AnyAdGenError, index: number): Stop | undefined => {
      if (isDecidedHere(error)) return undefined;
      const said = `(${oneLine(error.message)})`;
      if (accountWideCodes.includes(error.code)) {
        return { error, why: `${nameOfRequest(index)} was refused ${said}` };
      }
      failures = isShared(error) ? failures + 1 : 0;
      if (failures < stopAfterFailures) return undefined;
      const which =
        failures === 1
          ? nameOfRequest(index)
          : `${failures} in a row, ${nameOfRequest(index)} last,`;
      return { error, why: `${which} failed ${said}` };
    },
  };
};

/**
 * Creates the error of a request that was not sent. It has the code of the failure that stopped the
 * batch, because the same remedy helps: credits, a key, or a service that works again.
 */
export const notSentError = ({ error, why }: Stop, index: number): AnyAdGenError =>
  makeError(error.code, `${nameOfRequest(index)} was not sent, because ${why}`, {
    outcome: "not-sent",
    cause: error,
    ...(error.code === "decode" && { reason: error.reason, issues: error.issues }),
  });

export const abortedBeforeError = (reason: unknown, index: number): AnyAdGenError =>
  makeError("aborted", `${nameOfRequest(index)} was not sent, because the signal was aborted`, {
    outcome: "not-sent",
    cause: reason,
  });
