import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("children/worker.ts", import.meta.url));
const fromSource = fileURLToPath(new URL("../helpers/from-source.ts", import.meta.url));

/** A number from 0 to 1, the next of a row that the seed decides (mulberry32). */
export const createRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Starts workers in processes of their own, kills them at any moment, and replaces them. */
export const startWorkers = (count: number, words: readonly string[], random: () => number) => {
  const flags = ["--import", fromSource, script];
  const start = (): ChildProcess =>
    spawn(process.execPath, [...flags, ...words], { stdio: ["ignore", "ignore", "inherit"] });
  const running = Array.from({ length: count }, start);
  let kills = 0;
  let timer: NodeJS.Timeout | undefined;

  const killOne = (): void => {
    const index = Math.floor(random() * count);
    running[index]?.kill("SIGKILL");
    running[index] = start();
    kills++;
  };

  return {
    /** Kills a worker every so often, each time after a random wait. */
    killAtRandom: (minMs: number, maxMs: number): void => {
      const plan = (): void => {
        timer = setTimeout(
          () => {
            killOne();
            plan();
          },
          minMs + random() * (maxMs - minMs),
        );
      };
      plan();
    },
    stopKilling: (): number => {
      clearTimeout(timer);
      return kills;
    },
    close: async (): Promise<void> => {
      clearTimeout(timer);
      await Promise.all(
        running.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const ended = once(child, "exit");
          child.kill("SIGKILL");
          await ended;
        }),
      );
    },
  };
};
