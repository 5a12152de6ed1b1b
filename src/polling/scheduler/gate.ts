import type { Gate } from "../wait.ts";

const usualConcurrency = 6;

/** Makes a gate for `limit` looks at once. */
export const createGate = (limit = usualConcurrency): Gate => ({ free: limit, line: new Set() });
