// `node first-call.mjs <program> <url>`: each program of `npm run bench -- startup` loads one other
// client and makes one call.
const [, , program, baseUrl] = process.argv;

const apiKey = "test-key";
const url = `${baseUrl}/v1/jobs/job_1`;
const headers = { authorization: `Bearer ${apiKey}` };

const programs = {
  // This program shows how long Node itself takes to start and to end.
  nothing: async () => ({ status: "completed" }),
  fetch: async () => (await (await fetch(url, { headers })).json()).data,
  ky: async () => {
    const { default: ky } = await import("ky");
    return (await ky.get(url, { headers }).json()).data;
  },
  "ky-zod-mini": async () => {
    const [{ default: ky }, z] = await Promise.all([import("ky"), import("zod/mini")]);
    const answer = z.object({ data: z.object({ status: z.string() }) });
    return answer.parse(await ky.get(url, { headers }).json()).data;
  },
  openai: async () => {
    const { default: OpenAI } = await import("openai");
    return (await new OpenAI({ apiKey, baseURL: baseUrl }).get("/v1/jobs/job_1")).data;
  },
  replicate: async () => {
    const { default: Replicate } = await import("replicate");
    const client = new Replicate({ auth: apiKey, baseUrl: `${baseUrl}/v1` });
    return (await client.predictions.get("job_1")).data;
  },
  fal: async () => {
    const { createFalClient } = await import("@fal-ai/client");
    const client = createFalClient({
      credentials: apiKey,
      // The client's address is fixed, so the middleware sends to the benchmark's server instead.
      requestMiddleware: async (request) => ({ ...request, url }),
    });
    return (await client.queue.status("fal-ai/ads", { requestId: "job_1" })).data;
  },
  runway: async () => {
    const { default: RunwayML } = await import("@runwayml/sdk");
    return (await new RunwayML({ apiKey, baseURL: baseUrl }).get("/v1/jobs/job_1")).data;
  },
};

const { status } = await programs[program]();
if (status !== "completed") throw new Error(`The job is ${status}`);
