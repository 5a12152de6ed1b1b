/** The fake timers of Sinon, Jest and Vitest mark each function that they replace. */
const isFaked = (timer: object | undefined): boolean => timer !== undefined && "clock" in timer;

type Global = typeof globalThis & { readonly process?: Partial<NodeJS.Process> };

/** Returns whether fake timers replace ticks. Without real ticks, MSW 3 intercepts no connection. */
export const areTicksFaked = (): boolean =>
  isFaked((globalThis as Global).process?.nextTick) || isFaked(globalThis.queueMicrotask);
