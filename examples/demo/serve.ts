import { serve } from "@hono/node-server";
import type { MockService } from "adgen-sdk/mocks";

/** Puts a mock service on a free port of this machine, over real HTTP. */
export const serveMock = (
  service: MockService,
): Promise<{ url: string; server: ReturnType<typeof serve> }> =>
  new Promise((resolve, reject) => {
    const server = serve(
      {
        fetch: (request) => service.fetch(request),
        hostname: "127.0.0.1",
        port: 0,
        overrideGlobalObjects: false,
      },
      ({ port }) => resolve({ url: `http://127.0.0.1:${port}`, server }),
    );
    server.on("error", reject);
  });
