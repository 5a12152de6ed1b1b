import { createClient, pollJob } from "adgen-sdk";
import { connectMock } from "adgen-sdk/mocks/connect";
import { startMockServer } from "adgen-sdk/mocks/server";

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
