import { type ClientHooks, notify } from "./hooks.ts";

/** Receives a line for each step of a call. */
export type Log = (line: string) => void;

interface MaybeNode {
  process?: { env?: Record<string, string | undefined> };
}

const isAskedFor = (): boolean => {
  try {
    return (globalThis as MaybeNode).process?.env?.["ADGEN_LOG"] === "debug";
  } catch {
    // Deno asks its user before it shows a variable.
    return false;
  }
};

/** Adds a log to hooks, where there is one: a line for each request, answer and retry. */
export const withLog = (
  hooks: ClientHooks,
  log: Log | undefined = isAskedFor() ? (line) => console.error(line) : undefined,
): ClientHooks => {
  if (log === undefined) return hooks;
  const tell = (method: string, path: string, what: string): void =>
    notify("log", log, `adgen-sdk: ${method} ${path}${what}`);
  return {
    ...hooks,
    onRequest(event) {
      const { method, path, attempt } = event;
      tell(method, path, attempt > 1 ? ` (attempt ${attempt})` : "");
      notify("onRequest", hooks.onRequest, event);
    },
    onResponse(event) {
      const { method, path, status, durationMs, requestId } = event;
      const id = requestId === undefined ? "" : ` (${requestId})`;
      tell(method, path, ` answered ${status} in ${Math.round(durationMs)} ms${id}`);
      notify("onResponse", hooks.onResponse, event);
    },
    onRetry(event) {
      const { method, path, code, waitMs } = event;
      tell(method, path, ` failed (${code}), again in ${Math.round(waitMs)} ms`);
      notify("onRetry", hooks.onRetry, event);
    },
  };
};
