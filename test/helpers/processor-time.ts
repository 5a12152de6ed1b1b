/**
 * Measures the processor's time of a step, in milliseconds. The time by the clock would grow on a
 * busy machine.
 */
export const processorMsOf = async (step: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await step();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the event loop, and leaves the processor to others. */
export const blockEventLoop = (ms: number): void => void Atomics.wait(nothing, 0, 0, ms);
