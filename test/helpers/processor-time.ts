/**
 * Measures the processor time that a step uses, in milliseconds. Time by the clock would be longer
 * on a busy machine.
 */
export const processorMsOf = async (step: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await step();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the event loop without using the processor. */
export const blockEventLoop = (ms: number): void => void Atomics.wait(nothing, 0, 0, ms);
