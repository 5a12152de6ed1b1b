import type { MockServiceOptions } from "../../options/options.ts";
import type { MockService } from "../../service/mock-service.ts";
import type { OnUnhandled } from "../msw/unhandled-requests.ts";

/** A test runner's hooks; in `node:test`, `beforeAll` is called `before`, `afterAll` `after`. */
export interface MockSetupHooks {
  /** Gets `listen`. */
  readonly beforeAll: (callback: () => void) => unknown;
  /** Gets `reset`. */
  readonly afterEach: (callback: () => void) => unknown;
  /** Gets `close`. */
  readonly afterAll: (callback: () => void) => unknown;
}

/** What `setupMockServer` takes besides the service. */
export interface MockSetupSettings {
  /**
   * What becomes of a request to another origin than the service's that nothing handles. One
   * to the service's own is always refused, and fails the test.
   * @default "error"
   */
  readonly onUnhandled?: OnUnhandled;
  /**
   * Where to register `listen`, `reset` and `close`; `false` for nowhere.
   * @default the globals of these names, where the runner has all three
   */
  readonly hooks?: MockSetupHooks | false;
}

/** How the service behaves, or a service that is there already. */
export type MockSetupOptions = MockSetupSettings &
  ((MockServiceOptions & { readonly service?: never }) | { readonly service: MockService });
