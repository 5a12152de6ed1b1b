import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Starts workers in processes of their own, of a program and its arguments. So many of them are
 * killed at a random moment, and replaced; or one stands still for a time, and goes on.
 */
export const startWorkers = (
  count: number,
  words: readonly string[],
  mostDeaths: number,
  random: () => number,
) => {
  const running = new Set<ChildProcess>();
  const timers = new Set<NodeJS.Timeout>();
  const seen = { killed: 0, stopped: 0 };
  let isClosing = false;

  const endLater = (child: ChildProcess): void => {
    const end = (): void => {
      if (seen.killed + seen.stopped >= mostDeaths) return;
      if (random() < 0.7) {
        seen.killed++;
        child.kill("SIGKILL");
        return;
      }
      seen.stopped++;
      child.kill("SIGSTOP");
      // Longer than a lock, and than the time of a submission.
      const goOn = () => child.kill("SIGCONT") && endLater(child);
      timers.add(setTimeout(goOn, 1_500 + 1_000 * random()));
    };
    timers.add(setTimeout(end, 100 + 900 * random()));
  };

  const start = (): void => {
    if (isClosing) return;
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    running.add(child);
    // On a machine under load a worker takes long to start. Its time begins when it is there.
    child.stdout.once("data", () => endLater(child));
    child.once("exit", () => {
      running.delete(child);
      start();
    });
  };
  for (let index = 0; index < count; index++) start();

  return {
    seen,
    close: async (): Promise<void> => {
      isClosing = true;
      for (const timer of timers) clearTimeout(timer);
      const ended = Array.from(running, (child) => once(child, "exit"));
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(ended);
    },
  };
};
