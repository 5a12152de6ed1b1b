import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerType, serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import type { MockService } from "adgen-sdk/mocks";
import { startMockServer } from "adgen-sdk/mocks/server";
import { Hono } from "hono";
import { buildPage, type PageOptions } from "./build-page.ts";
import { credits, readCredits, timeline } from "./studio/budget.ts";
import { scriptEnds } from "./studio/scripted-ends.ts";
import { createCookieSessions } from "./studio/sessions.ts";
import { createStudio } from "./studio/studio.ts";

/** Options of {@link startExample}, all of them optional. */
export interface StartOptions {
  /** Port of the page; 0 takes a free one. @default 0 */
  readonly port?: number | undefined;
  /** Everything runs in the page. @default false */
  readonly inPage?: boolean | undefined;
  /** The service's key, which no page may ever see. @default a random one */
  readonly apiKey?: string | undefined;
  readonly resolve?: PageOptions["resolve"];
}

/** The example as it runs. */
export interface Example {
  /** Address of the page. */
  readonly url: string;
  /** The mock behind it; absent where it runs in the page. */
  readonly mock?: { readonly url: string; readonly service: MockService };
  readonly close: () => Promise<void>;
}

const listen = (app: Hono, port: number): Promise<{ server: ServerType; url: string }> =>
  new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, (address) =>
      resolve({ server, url: `http://127.0.0.1:${address.port}` }),
    );
    server.once("error", reject);
  });

/** Starts the mock with an account whose key the studio's proxy keeps. */
const startMock = async (apiKey: string) => {
  const mock = await startMockServer({ accounts: { [apiKey]: { credits } }, timeline });
  scriptEnds(mock.service);
  return mock;
};

/** Starts the mock, the studio's server and the page, the last two at one address. */
export const startExample = async (options: StartOptions = {}): Promise<Example> => {
  const { port = 0, inPage = false, resolve } = options;
  const { apiKey = `test-${crypto.randomUUID()}` } = options;
  const folder = mkdtempSync(join(tmpdir(), "adgen-web-"));
  await buildPage({ folder, inPage, resolve });

  const app = new Hono();
  const mock = inPage ? undefined : await startMock(apiKey);
  if (mock !== undefined) {
    const studio = createStudio({
      baseUrl: mock.url,
      apiKey,
      sessions: createCookieSessions(),
      readCredits: () => readCredits(mock.service.account(apiKey)),
    });
    app.route("/", studio);
  }
  app.use(serveStatic({ root: folder }));

  const { server, url } = await listen(app, port);
  return {
    url,
    ...(mock && { mock }),
    close: async () => {
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mock?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
