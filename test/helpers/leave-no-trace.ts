// Runs around each test file of a project whose files share processes.
// A file fails when it leaves its process changed.
import { afterAll, vi } from "vitest";

/** Objects of the runtime whose properties a test may replace. */
const shared = {
  globalThis,
  "Object.prototype": Object.prototype,
  "Array.prototype": Array.prototype,
  "Promise.prototype": Promise.prototype,
  "AbortSignal.prototype": AbortSignal.prototype,
  env: process.env,
};

const events = ["uncaughtException", "unhandledRejection", "warning", "exit", "SIGINT", "SIGTERM"];

/** Tells whether a package keeps a registry under this name, which outlives a test on purpose. */
const isOfPackage = (name: string): boolean =>
  /^globalThis (__zod_|\$ark|__MSW_|__core-js_)/.test(name);

/** Lists what a test may change in its process, by name. */
const readProcess = (): ReadonlyMap<string, unknown> => {
  const state = new Map<string, unknown>([
    ["fake timers", vi.isFakeTimers()],
    ["working directory", process.cwd()],
    ["exit code", process.exitCode],
  ]);
  for (const event of events) state.set(`listeners of ${event}`, process.listenerCount(event));
  for (const [owner, object] of Object.entries(shared)) {
    for (const key of Object.getOwnPropertyNames(object)) {
      const { value, get } = Object.getOwnPropertyDescriptor(object, key) ?? {};
      const name = `${owner} ${key}`;
      if (!isOfPackage(name)) state.set(name, get ?? value);
    }
  }
  return state;
};

const before = readProcess();

afterAll(() => {
  const after = readProcess();
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => !Object.is(before.get(name), after.get(name)));
  if (changed.length > 0) {
    throw new Error(`This file leaves its process changed: ${changed.join(", ")}`);
  }
});
