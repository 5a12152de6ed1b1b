const { createClient, isAdGenError } = require("adgen-sdk");
const { assumedSchemas } = require("adgen-sdk/assumed");
const { createMockService } = require("adgen-sdk/mocks");
const { createMemoryStore, createProxy } = require("adgen-sdk/proxy");

const main = async () => {
  const service = createMockService({ timeline: { queuedMs: 0, processingMs: 0 } });
  const proxy = createProxy({
    baseUrl: "http://service.test",
    apiKey: "test-key",
    fetch: service.fetch,
    authorize: (request) => request.headers.get("x-user"),
    store: createMemoryStore(),
  });
  const clientOf = (user) =>
    createClient({
      baseUrl: "http://page.test/adgen",
      apiKey: null,
      headers: { "x-user": user },
      fetch: (request) => proxy(request),
      schemas: assumedSchemas,
    });
  const job = await clientOf("ann").jobs.submitAndPoll({ action: "generate-ad" });
  const others = await clientOf("ben")
    .jobs.get(job.job_id)
    .catch(({ code }) => code);
  const refusals = [];
  try {
    createProxy({});
  } catch (error) {
    if (isAdGenError(error)) refusals.push(error.code);
  }
  console.log([job.status, job.result.images[0].width, others, ...refusals].join());
};

void main();
