import { isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { oneLine } from "../errors/text.ts";
import { sleep } from "../sleep.ts";

/** Runs something for a time at most. Tells whether it has ended; it may go on afterwards. */
export const runAtMost = async (ms: number, run: () => Promise<unknown>): Promise<boolean> => {
  const ended = new AbortController();
  const running = run().then(() => true);
  const timeOver = sleep(ms, ended.signal).then(() => false);
  try {
    return await Promise.race([running, timeOver]);
  } finally {
    ended.abort();
    // What fails later fails with a connection that was given up.
    running.catch(() => {});
  }
};

/**
 * Runs something in Redis within a time. A Redis that is down may still carry it out later, so the
 * error of a write says that its outcome is unknown.
 */
export const withinTime = async <T>(
  what: string,
  timeoutMs: number,
  isWrite: boolean,
  run: () => Promise<T>,
): Promise<T> => {
  const outcome = isWrite ? "unknown" : undefined;
  const hint = isWrite ? "; it may have been carried out: do the same again" : "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeOver = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `${what} was not answered by Redis within ${timeoutMs} ms${hint}`;
      reject(makeError("timeout", message, { outcome }));
    }, timeoutMs);
  });
  try {
    return await Promise.race([run(), timeOver]);
  } catch (cause) {
    if (isAdGenError(cause)) throw cause;
    const why = oneLine(cause instanceof Error ? cause.message : String(cause));
    throw makeError("connection", `${what} failed in Redis: ${why}${hint}`, { outcome, cause });
  } finally {
    clearTimeout(timer);
  }
};
