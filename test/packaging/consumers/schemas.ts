/** A user with schemas of other libraries. */
import { createClient } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { type } from "arktype";
import * as valibot from "valibot";
import * as zod from "zod";
import * as mini from "zod/mini";

export const use = async (): Promise<string> => {
  const { fetch } = createMockService({ timeline: { queuedMs: 0, processingMs: 0 } });
  const schemas = {
    zod: zod.object({ images: zod.array(zod.object({ url: zod.url() })) }),
    "zod/mini": mini.object({ images: mini.array(mini.object({ url: mini.string() })) }),
    valibot: valibot.object({ images: valibot.array(valibot.object({ url: valibot.string() })) }),
    arktype: type({ images: type({ url: "string" }).array() }),
  };
  const passed: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const client = createClient({
      baseUrl: "http://service.test",
      apiKey: "test-key",
      fetch,
      schemas: { results: { "generate-ad": schema } },
    });
    const job = await client.jobs.submitAndPoll({ action: "generate-ad" });
    if (job.status === "completed" && job.result.images[0]?.url) passed.push(name);
  }
  return passed.join();
};
