import type { Gate } from "../wait.ts";

/** Makes a gate for `limit` looks at once. */
export const createGate = (limit: number): Gate => ({ free: limit, line: new Set() });
