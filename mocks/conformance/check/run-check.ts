import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type AskService, askBy, isRecord, parseJson } from "../exchange.ts";
import { hideKeys } from "../hide-keys.ts";
import { messageOf } from "../message-of.ts";
import { type CheckOptions, checkHelp, readCheckOptions } from "./check-options.ts";
import { describeStep, renderReport, summarize, toJson } from "./report.ts";
import { runScript, script } from "./script.ts";

/** The parts of a process that the command uses. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the script early; what it has made is still deleted. */
  readonly signal?: AbortSignal;
  /** Shows a line in a terminal, in place of the one before; absent for a file or a pipe. */
  readonly showProgress?: ((text: string) => void) | undefined;
  /** Milliseconds between two polls at a job. @default 2000 */
  readonly pollIntervalMs?: number;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** A slow answer may be a paid one. */
const answerTimeoutMs = 60_000;

const longestPauseMs = 60_000;

/** Times that a read is asked again after a failure of the service. */
const readRepeats = 2;

/** Waits after a 429 for as long as the service says, and asks again; reads also after a 5xx. */
const patient = (ask: AskService, failurePauseMs: number): AskService => {
  let isLimited = false;
  return async (question) => {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await ask(question);
      const isFailedRead =
        reply.status >= 500 && question.method === "GET" && attempt <= readRepeats;
      const askedMs = Number(reply.headers["retry-after"] ?? attempt) * 1000;
      const pauseMs = isFailedRead ? failurePauseMs : askedMs;
      // One that waits in vain is enough: the steps after it show the 429 at once.
      isLimited ||= reply.status === 429 && attempt > 5;
      const mayRepeat = isFailedRead || (reply.status === 429 && !isLimited);
      if (!mayRepeat || !(pauseMs <= longestPauseMs)) return reply;
      await wait(pauseMs);
    }
  };
};

/** Throws where a run would show nothing: where no such service answers, or one refuses the key. */
const requireService = async (
  ask: AskService,
  baseUrl: string,
  key: string,
  hide: (text: string) => string,
): Promise<void> => {
  const headers = { authorization: `Bearer ${key}` };
  const reply = await ask({ method: "GET", path: "/v1/jobs", headers }).catch((error: Error) => {
    throw new Error(`${baseUrl} cannot be reached: ${hide(messageOf(error))}`);
  });
  const { status, body } = reply;
  const answered = `GET /v1/jobs answered ${status}`;
  if (status === 429) throw new Error(`${baseUrl} limits requests: ${answered}`);
  if (status >= 500) throw new Error(`${baseUrl} fails: ${answered}`);
  const envelope = parseJson(body);
  if (!isRecord(envelope) || !("success" in envelope)) {
    const { location, "content-type": type = "no content type" } = reply.headers;
    const to = location === undefined ? "" : `, to ${location}`;
    const instead = `with ${type}${to}, not with success, data and error: ${body}`;
    throw new Error(`${baseUrl} is no such service: ${answered} ${hide(instead).slice(0, 160)}`);
  }
  if (status === 404) throw new Error(`${baseUrl} is no such service: ${answered}`);
  if (status === 401 || status === 403) throw new Error(`${baseUrl} refuses the key: ${status}`);
};

const runAt = async (
  { baseUrl, json, steps, ...options }: CheckOptions,
  { signal, showProgress, pollIntervalMs, print, printError }: Surroundings,
): Promise<number> => {
  const keys = new Set(Object.values(options.keys));
  const hide = (text: string): string => hideKeys(text, keys);
  const printHidden = (text: string): void => print(hide(text));
  signal?.addEventListener("abort", () => {
    showProgress?.("");
    printError("Stopping: deleting what was made …");
  });

  // Ctrl-C ends no request, because what that request has made could not be deleted then.
  const ask = patient(
    askBy(fetch, baseUrl, () => ({
      signal: AbortSignal.timeout(answerTimeoutMs),
      redirect: "manual",
    })),
    pollIntervalMs ?? 2_000,
  );
  await requireService(ask, baseUrl, options.keys.first, hide);
  const report = await runScript(ask, {
    ...options,
    label: `Conformance ${randomUUID().slice(0, 8)}`,
    ...(signal && { signal }),
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
    onStep: ({ name }, place) => showProgress?.(`${place + 1} of ${script.length}: ${name}`),
    onOutcome: (outcome) => {
      showProgress?.("");
      if (!json && steps) printHidden(describeStep(outcome));
    },
  });

  if (json) printHidden(JSON.stringify({ baseUrl, ...toJson(report) }, null, 2));
  else printHidden(renderReport(report).join("\n"));
  if (signal?.aborted) {
    printError("Interrupted: the steps after that were skipped");
    return 130;
  }
  const { breaks, unanswered } = summarize(report.outcomes);
  return breaks + unanswered > 0 ? 1 : 0;
};

/**
 * Runs the command `adgen-mock check`.
 *
 * @returns the exit code: 0 when the document holds, 1 when not or not to be seen, 2 when it cannot begin, 130 after a
 * signal
 */
export const runCheck = async (
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> => {
  const { env, print, printError } = surroundings;
  try {
    const options = readCheckOptions(args, env);
    if (options !== "help") return await runAt(options, surroundings);
    print(checkHelp);
    return 0;
  } catch (error) {
    printError(`adgen-mock check: ${messageOf(error)} (see --help)`);
    return 2;
  }
};
