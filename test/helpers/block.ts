const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the event loop, and leaves the processor to others. */
export const block = (ms: number): void => void Atomics.wait(nothing, 0, 0, ms);
