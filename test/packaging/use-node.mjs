import { createClient } from "adgen-sdk";
import { setupMockServer } from "adgen-sdk/mocks/node";

const mock = setupMockServer({ baseUrl: "http://service.test" });
await mock.listen();
const client = createClient({ baseUrl: "http://service.test", apiKey: "test-key" });
const { status } = await client.jobs.submitAndPoll({ action: "generate-ad" });
mock.service.account("test-key").assertCharges([{ action: "generate-ad", amount: 1 }]);
console.log(status);
mock.close();
