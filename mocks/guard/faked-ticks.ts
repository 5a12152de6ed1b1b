/** Fake timers of Sinon, Jest and Vitest mark each function that they put in place of another. */
const isFaked = (timer: object | undefined): boolean => timer !== undefined && "clock" in timer;

type Global = typeof globalThis & { readonly process?: Partial<NodeJS.Process> };

/** Tells whether fake timers stand in place of ticks, without which MSW 3 intercepts no connection. */
export const areTicksFaked = (): boolean =>
  isFaked((globalThis as Global).process?.nextTick) || isFaked(globalThis.queueMicrotask);
