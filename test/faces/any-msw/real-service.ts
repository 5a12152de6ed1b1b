import { afterEach, beforeEach, expect, vi } from "vitest";
import { type MockSetupSettings, setupMockServer } from "../../../mocks/node.ts";
import { type HttpServer, listen } from "../../helpers/http-server.ts";

/** A service that no test may reach, and a mock of it. */
interface RealService {
  /** URL of a service that costs money: no test may reach it. */
  readonly url: string;
  /** Makes a mock of that service, which ends after the test. */
  readonly setup: (
    options?: MockSetupSettings & { baseUrl?: string },
  ) => ReturnType<typeof setupMockServer>;
  /** Ends after the test, in this order. */
  readonly closing: (() => void)[];
}

/** Gives each test of a file a service, fails the test that reaches it, and cleans up. */
export const useRealService = (): RealService => {
  const own = globalThis.fetch;
  const closing: (() => void)[] = [];
  let real: HttpServer;
  beforeEach(async () => {
    real = await listen((response) => response.end("{}"));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    for (const close of closing.splice(0)) close();
    globalThis.fetch = own;
    expect(real.received).toEqual([]);
  });
  return {
    closing,
    get url() {
      return real.url;
    },
    setup: (options = {}) => {
      const mock = setupMockServer({ baseUrl: real.url, hooks: false, ...options });
      closing.push(mock.allowNetwork, mock.close);
      return mock;
    },
  };
};
