/** A user of the handlers for MSW, and of the server for Node. */
import { createClient } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { createHandlers } from "adgen-sdk/mocks/msw";
import { setupMockServer } from "adgen-sdk/mocks/node";

export const use = async (): Promise<string> => {
  const mock = setupMockServer({ baseUrl: "https://ads.test", hooks: false });
  await mock.listen();
  const { jobs } = createClient({ baseUrl: "https://ads.test", apiKey: "test-key" });
  const { status } = await jobs.submitAndPoll({ action: "generate-ad" });
  mock.service.account("test-key").assertCharges([{ action: "generate-ad", amount: 1 }]);
  const service = createMockService({ accounts: { "test-other": {} } });
  mock.server.use(...createHandlers(service));
  const other = createClient({ baseUrl: "https://ads.test", apiKey: "test-other" });
  await other.jobs.submit({ action: "edit-ad" });
  mock.close();
  return `${status}, ${service.account("test-other").charges.length}`;
};
