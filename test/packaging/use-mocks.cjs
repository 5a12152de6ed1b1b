const { createClient } = require("adgen-sdk");
const { createMockService } = require("adgen-sdk/mocks");

const main = async () => {
  const { fetch } = createMockService();
  const client = createClient({ baseUrl: "http://service.test", apiKey: "test-key", fetch });
  const { status } = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
  console.log(status);
};

void main();
