const { createClient } = require("adgen-sdk");
const { createMockService } = require("adgen-sdk/mocks");
const { createHandlers } = require("adgen-sdk/mocks/msw");
const { setupServer } = require("msw/node");

const main = async () => {
  const server = setupServer(...createHandlers(createMockService()));
  server.listen();
  const client = createClient({ baseUrl: "http://service.test", apiKey: "test-key" });
  const { status } = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
  console.log(status);
  server.close();
};

void main();
