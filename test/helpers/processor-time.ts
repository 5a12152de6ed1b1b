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
