import { optionalVariableOf } from "./environment.ts";
import { type ClientHooks, callSafely } from "./hooks.ts";

/** Receives a line for each step of a call. */
export type Log = (line: string) => void;

const inConsole: Log = (line) => console.error(line);

/**
 * Creates the hooks of a log, if one is set. They write a line for each request, response and
 * failure.
 */
export const logHooks = (
  log: Log | undefined = optionalVariableOf("ADGEN_LOG") === "debug" ? inConsole : undefined,
): ClientHooks => {
  if (log === undefined) return {};
  const tell = ({ method, path }: { method: string; path: string }, what: string): void =>
    callSafely("log", () => log(`adgen-sdk: ${method} ${path}${what}`));
  return {
    onRequest: (event) => tell(event, event.attempt > 1 ? ` (attempt ${event.attempt})` : ""),
    onResponse(event) {
      const { status, durationMs, requestId } = event;
      const id = requestId === undefined ? "" : ` (${requestId})`;
      tell(event, ` answered ${status} in ${Math.round(durationMs)} ms${id}`);
    },
    onFailure(event) {
      const { code, retryInMs } = event;
      const next = retryInMs === undefined ? "" : `, again in ${Math.round(retryInMs)} ms`;
      tell(event, ` failed (${code})${next}`);
    },
  };
};
