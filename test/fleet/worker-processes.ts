import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface Deaths {
  /** Number of workers that die, or stand still. */
  readonly most: number;
  /** Time from the start of a worker to its end, or to its stop. */
  readonly nextMs: () => number;
  /** Time for which a worker stands still, as in a suspended machine; 0 kills it. */
  readonly stopMs: () => number;
}

/**
 * Starts workers in processes of their own, of a program and its arguments. Each is killed at a random moment, and replaced; or it
 * stands still for a time, and goes on.
 */
export const startWorkers = (count: number, words: readonly string[], deaths: Deaths) => {
  const running = new Set<ChildProcess>();
  const timers = new Set<NodeJS.Timeout>();
  let killed = 0;
  let stopped = 0;
  let isClosing = false;

  const after = (ms: number, run: () => void): void => {
    timers.add(setTimeout(run, ms));
  };

  const end = (child: ChildProcess): void => {
    if (killed + stopped >= deaths.most) return;
    const stopMs = deaths.stopMs();
    if (stopMs === 0) {
      killed++;
      child.kill("SIGKILL");
      return;
    }
    stopped++;
    child.kill("SIGSTOP");
    after(stopMs, () => {
      child.kill("SIGCONT");
      after(deaths.nextMs(), () => end(child));
    });
  };

  const start = (): void => {
    if (isClosing) return;
    const child = spawn(process.execPath, words, {
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.add(child);
    // On a machine under load a worker takes long to start. Its time begins when it is there.
    child.stdout.once("data", () => after(deaths.nextMs(), () => end(child)));
    child.once("exit", () => {
      running.delete(child);
      start();
    });
  };
  for (let index = 0; index < count; index++) start();

  return {
    killed: (): number => killed,
    stopped: (): number => stopped,
    close: async (): Promise<void> => {
      isClosing = true;
      for (const timer of timers) clearTimeout(timer);
      const ended = Array.from(running, (child) => once(child, "exit"));
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(ended);
    },
  };
};
