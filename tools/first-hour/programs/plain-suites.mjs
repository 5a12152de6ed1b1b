/** The set-ups that intercept nothing, for any runner. */
import { createClient } from "adgen-sdk";
import { createMockService, refuseNetwork } from "adgen-sdk/mocks";
import { startMockServer } from "adgen-sdk/mocks/server";
import { baseUrl, expectCharges, expectRefusals } from "./pay.mjs";

const options = { apiKey: "test-key", allowBrowserKey: true };

export const suites = {
  /** The client is given the service's `fetch`. */
  "service.fetch": ({ test }) => {
    test("pays the mock", async () => {
      const service = createMockService();
      const client = createClient({ ...options, baseUrl, fetch: service.fetch });
      await client.jobs.submitAndPoll({ action: "generate-ad" });
      expectCharges(service, 1);
    });
  },
  /** A set-up file calls `refuseNetwork` before the code under test loads its packages. */
  refuseNetwork: ({ test }) => {
    test("pays nobody", async () => {
      const allow = refuseNetwork();
      await expectRefusals();
      allow();
    });
  },
  /** The mock runs as a server; the client calls it. */
  startMockServer: ({ test }) => {
    test("pays the mock", async () => {
      const server = await startMockServer();
      const client = createClient({ ...options, baseUrl: server.url });
      await client.jobs.submit({ action: "generate-ad" });
      await server.close();
      expectCharges(server.service, 1);
    });
  },
};
