const { createClient, pollJob } = require("adgen-sdk");
const { connectMock } = require("adgen-sdk/mocks/connect");
const { startMockServer } = require("adgen-sdk/mocks/server");

const main = async () => {
  const server = await startMockServer({ timeline: "per-poll" });
  const client = createClient({ baseUrl: server.url, apiKey: "test-key" });
  const job = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
  const { status, result } = await pollJob(client, job);
  const picture = await fetch(result.images[0].url);
  const page = await fetch(`${server.url}/__mock/`);
  await connectMock(server.url)
    .account("test-key")
    .assertCharges([{ action: "generate-ad" }]);
  console.log([status, picture.headers.get("content-type"), page.status].join());
  await server.close();
};

void main();
