import type { MockServerHooks } from "./mock-server-options.ts";

/** Those of Jest, or of vitest with `globals`. */
export const globalHooks = (): MockServerHooks | undefined => {
  const { beforeAll, afterEach, afterAll } = globalThis as Partial<MockServerHooks>;
  return beforeAll && afterEach && afterAll ? { beforeAll, afterEach, afterAll } : undefined;
};
