const { createClient } = require("adgen-sdk");
const { setupMockServer } = require("adgen-sdk/mocks/node");

const main = async () => {
  const mock = setupMockServer({ baseUrl: "http://service.test" });
  await mock.listen();
  const client = createClient({ baseUrl: "http://service.test", apiKey: "test-key" });
  const { status } = await client.jobs.submitAndPoll({ action: "generate-ad" });
  mock.service.account("test-key").assertCharges([{ action: "generate-ad", amount: 1 }]);
  console.log(status);
  mock.close();
};

void main();
