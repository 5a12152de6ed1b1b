import type { RequestHandler } from "msw";
import { setupServer } from "msw/node";
import type { MockService } from "../../mocks/index.ts";
import { createHandlers } from "../../mocks/msw/index.ts";
import { startMockServer } from "../../mocks/server/index.ts";

/** A service that a client or a plain `fetch` can reach. */
export interface Reached {
  readonly baseUrl: string;
  /** The `fetch` to use. If it is absent, use the global `fetch`. */
  readonly fetch?: MockService["fetch"];
  readonly close: () => void | Promise<void>;
}

export interface ReachOptions {
  /** Base URL of the adapters without a server. @default "https://ads.test" */
  readonly baseUrl?: string;
  /** Handlers of MSW besides the service's own. */
  readonly handlers?: readonly RequestHandler[];
}

export type Adapter = "service.fetch" | "msw/node" | "HTTP";

type Reach = (service: MockService, options?: ReachOptions) => Promise<Reached>;

const originOf = ({ baseUrl = "https://ads.test" }: ReachOptions = {}): string => baseUrl;

/** For each adapter of the mock in Node, a function that makes a service reachable through it. */
export const adapters: Readonly<Record<Adapter, Reach>> = {
  "service.fetch": async ({ fetch }, options) => ({
    baseUrl: originOf(options),
    fetch,
    close: () => {},
  }),
  "msw/node": async (service, options) => {
    const server = setupServer(...createHandlers(service), ...(options?.handlers ?? []));
    server.listen({ onUnhandledFrame: "error" });
    return { baseUrl: originOf(options), close: () => server.close() };
  },
  HTTP: async (service) => {
    const { url, close } = await startMockServer({ service });
    return { baseUrl: url, close };
  },
};

export const adapterNames = Object.keys(adapters) as Adapter[];
