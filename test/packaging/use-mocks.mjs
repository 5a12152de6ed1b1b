import { createClient } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";

const { fetch } = createMockService();
const client = createClient({ baseUrl: "http://service.test", apiKey: "test-key", fetch });
const { status } = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
console.log(status);
