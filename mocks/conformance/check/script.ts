import { isFinished, isJobStatus } from "../../../src/contract/jobs.ts";
import { type AskService, type Question, type Reply, readAnswer } from "../exchange.ts";
import { hideKeys } from "../hide-keys.ts";
import { messageOf } from "../message-of.ts";
import { authenticationSteps } from "./authentication-steps.ts";
import { createCleanUp } from "./clean-up.ts";
import { jobSteps } from "./job-steps.ts";
import { type Judgement, judge } from "./judge.ts";
import { deletionSteps, librarySteps } from "./library-steps.ts";
import { limitSteps } from "./limit-steps.ts";
import { pathSteps } from "./path-steps.ts";
import { isDocumented, type Step } from "./step.ts";
import { tenantSteps } from "./tenant-steps.ts";

/*
 * One conversation with the service that goes through all of its document. It knows no platform:
 * its caller hands in the function that sends a request.
 */

/** One request and its answer. */
export interface ScriptExchange {
  readonly question: Question;
  readonly reply: Reply;
}

/** Result of a step. */
export interface Outcome extends Judgement {
  readonly step: Step;
  /**
   * "breaks": against the API's document; "differs": from assumptions alone; "unanswered": asked,
   * and the service failed, which says nothing of what it does when it works.
   */
  readonly verdict: "ok" | "breaks" | "differs" | "unanswered" | "skipped";
  /** Why it was skipped, or not answered. */
  readonly reason?: string;
  /** More than one when the step was asked again. */
  readonly exchanges: readonly ScriptExchange[];
}

export interface ScriptOptions {
  /** The API keys; steps that need one which is not here are skipped. */
  readonly keys: { readonly first: string; readonly second?: string; readonly poor?: string };
  /** Permission to submit jobs that cost credits. @default false */
  readonly spend?: boolean;
  /** Milliseconds in which a step repeats its request until a job has finished. @default 120000 */
  readonly pollTimeoutMs?: number;
  /** Milliseconds between two such requests. @default 2000 */
  readonly pollIntervalMs?: number;
  /** Beginning of the names of the script's brands. @default "Conformance" */
  readonly label?: string;
  /** Ends the script before its next request; what it has made is still deleted. */
  readonly signal?: AbortSignal;
  /** Steps to go through. @default all */
  readonly steps?: readonly Step[];
  /** Called before each step. */
  readonly onStep?: (step: Step, place: number) => void;
  readonly onOutcome?: (outcome: Outcome) => void;
}

export interface ScriptReport {
  readonly outcomes: readonly Outcome[];
  /** The paths of what the script has made and could not delete. */
  readonly left: readonly string[];
}

/** Deletions come last: the others need what they delete. */
export const script: readonly Step[] = [
  ...authenticationSteps,
  ...pathSteps,
  ...jobSteps,
  ...librarySteps,
  ...limitSteps,
  ...tenantSteps,
  ...deletionSteps,
];

const paidActions = /copy-ad|generate-ad|edit-ad|image-a-2|image-a-pro|video-[ab]-/i;

/** Whether a lenient service could take this request for a paid job. */
export const couldCost = ({ method, path, body = "" }: Question): boolean =>
  method === "POST" &&
  /jobs/i.test(path) &&
  paidActions.test(body.replaceAll(/generate-ad-copy/gi, ""));

type Memory = Record<string, string>;

/** A step's request, or the name of what should have been remembered for it. */
const makeQuestion = (
  { method, path, body, headers }: Step,
  authorization: string | undefined,
  memory: Memory,
): Question | { readonly missing: string } => {
  let missing: string | undefined;
  const fill = (text: string, encode = (value: string) => value): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = memory[name];
      if (value === undefined) missing = name;
      return encode(value ?? "");
    });
  const text =
    typeof body === "object"
      ? JSON.stringify(body, (_, value) => (typeof value === "string" ? fill(value) : value))
      : body;
  const question: Question = {
    method,
    path: fill(path, encodeURIComponent),
    headers: {
      ...(text !== undefined && { "content-type": "application/json" }),
      ...(authorization !== undefined && { authorization }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  };
  return missing === undefined ? question : { missing };
};

/** An unknown key with the prefix of the caller's, so that only the rest is wrong. */
const unknownKeyLike = (key: string): string => `${/^[^-]*-/.exec(key)?.[0] ?? ""}nobody-has-this`;

/** Time for a state of the document, in which all jobs of a service may have others. */
const strangeStateMs = 30_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Goes through the script, step by step; deletes what it made, however it ends. */
export const runScript = async (ask: AskService, options: ScriptOptions): Promise<ScriptReport> => {
  const { keys, spend = false, signal, steps = script, onStep, onOutcome } = options;
  const { pollTimeoutMs = 120_000, pollIntervalMs = 2_000, label = "Conformance" } = options;
  const sentKeys = new Set(Object.values(keys));
  const hide = (text: string): string => hideKeys(text, sentKeys);
  const memory: Memory = { label };
  const cleanUp = createCleanUp(label);
  const outcomes: Outcome[] = [];
  let unanswered = 0;
  let strangeLeftMs = strangeStateMs;

  const reasonToSkip = ({ key = "first", costs }: Step): string | undefined => {
    if (signal?.aborted) return "stopped";
    if (unanswered >= 3) return "no answer to three requests";
    if (key === "second" && keys.second === undefined) return "needs a second key";
    if (key === "poor" && keys.poor === undefined) return "needs the key of an empty account";
    return costs && !spend ? "costs credits" : undefined;
  };

  const authorizationOf = ({ key = "first" }: Step): string | undefined => {
    if (key === "odd") return undefined;
    return `Bearer ${key === "wrong" ? unknownKeyLike(keys.first) : keys[key]}`;
  };

  const remember = ({ remembers }: Step, reply: Reply): void => {
    const { status, data } = readAnswer(reply);
    const id = data?.job_id ?? data?.id;
    if (remembers && status < 300 && typeof id === "string" && id !== "") memory[remembers] = id;
  };

  /** Whether a step has what it waits for, or will never have it. */
  const isDone = ({ waits }: Step, reply: Reply): boolean => {
    const { status, data } = readAnswer(reply);
    return !waits || status >= 300 || isFinished(data?.status);
  };

  /** Asks once, or until the step has what it waits for. */
  const converse = async (step: Step, question: Question): Promise<ScriptExchange[]> => {
    const exchanges: ScriptExchange[] = [];
    const startedAt = performance.now();
    for (;;) {
      const reply = await ask(question);
      cleanUp.note(step.operation, question, reply);
      exchanges.push({ question, reply });
      if (isDone(step, reply) || signal?.aborted) return exchanges;
      const isStrange = !isJobStatus(readAnswer(reply).data?.status);
      const patienceMs = isStrange ? Math.min(pollTimeoutMs, strangeLeftMs) : pollTimeoutMs;
      if (performance.now() + pollIntervalMs > startedAt + patienceMs) {
        // Other jobs would keep their strange states as well.
        if (isStrange) strangeLeftMs = 0;
        return exchanges;
      }
      await wait(pollIntervalMs);
    }
  };

  const carryOut = async (step: Step): Promise<Outcome> => {
    const without = (
      verdict: "skipped" | "unanswered",
      reason: string,
      exchanges: readonly ScriptExchange[] = [],
    ): Outcome => ({ step, verdict, reason, exchanges, differences: [], held: [] });
    const reason = reasonToSkip(step);
    if (reason !== undefined) return without("skipped", reason);
    const question = makeQuestion(step, authorizationOf(step), memory);
    if ("missing" in question) return without("skipped", `there is no ${question.missing}`);
    if (couldCost(question) && !spend) return without("skipped", "costs credits");
    try {
      const exchanges = await converse(step, question);
      unanswered = 0;
      const reply = exchanges.at(-1)?.reply;
      // A stop in the middle of a wait says nothing about the service.
      if (reply === undefined || (signal?.aborted && !isDone(step, reply))) {
        return without("skipped", "stopped", exchanges);
      }
      if (reply.status >= 500) {
        return without("unanswered", `the service failed: ${reply.status}`, exchanges);
      }
      remember(step, reply);
      const judgement = judge(step, reply, memory, hide);
      const rules = judgement.differences.map(({ rule }) => rule);
      const verdict = rules.some(isDocumented) ? "breaks" : rules.length > 0 ? "differs" : "ok";
      return { step, verdict, ...judgement, exchanges };
    } catch (error) {
      unanswered += 1;
      cleanUp.note(step.operation, question);
      return without("unanswered", `no answer: ${messageOf(error)}`);
    }
  };

  let left: readonly string[] = [];
  try {
    for (const [place, step] of steps.entries()) {
      onStep?.(step, place);
      const outcome = await carryOut(step);
      outcomes.push(outcome);
      onOutcome?.(outcome);
    }
  } finally {
    left = await cleanUp.run(ask);
  }
  return { outcomes, left };
};
