import { createClient } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { createHandlers } from "adgen-sdk/mocks/msw";
import { setupServer } from "msw/node";

const server = setupServer(...createHandlers(createMockService()));
server.listen();
const client = createClient({ baseUrl: "http://service.test", apiKey: "test-key" });
const { status } = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
console.log(status);
server.close();
