const { createClient } = require("adgen-sdk");
const { createMockService } = require("adgen-sdk/mocks");
const { type } = require("arktype");
const valibot = require("valibot");
const zod = require("zod");
const mini = require("zod/mini");

const main = async () => {
  const { fetch } = createMockService({ timeline: { queuedMs: 0, processingMs: 0 } });
  const schemas = {
    zod: zod.object({ images: zod.array(zod.object({ url: zod.url() })) }),
    "zod/mini": mini.object({ images: mini.array(mini.object({ url: mini.string() })) }),
    valibot: valibot.object({ images: valibot.array(valibot.object({ url: valibot.string() })) }),
    arktype: type({ images: type({ url: "string" }).array() }),
  };
  const passed = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const client = createClient({
      baseUrl: "http://service.test",
      apiKey: "test-key",
      fetch,
      schemas: { results: { "generate-ad": schema } },
    });
    const { result } = await client.jobs.submitAndPoll({ action: "generate-ad" });
    if (result.images[0].url) passed.push(name);
  }
  console.log(passed.join());
};

void main();
