import type { MockSetupHooks } from "./mock-setup-options.ts";

/** Those of Jest, or of vitest with `globals`. */
export const globalHooks = (): MockSetupHooks | undefined => {
  const { beforeAll, afterEach, afterAll } = globalThis as Partial<MockSetupHooks>;
  return beforeAll && afterEach && afterAll ? { beforeAll, afterEach, afterAll } : undefined;
};
