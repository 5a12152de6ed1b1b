// Checks results by a schema of your own, so that the compiler knows their fields.
//
//   node typed-results.ts
import { type AdGenClient, createClient } from "adgen-sdk";
import { z } from "zod";

const picture = z.object({ url: z.url(), width: z.int(), height: z.int() });
const results = { "generate-ad": z.object({ images: z.tuple([picture], picture) }) };
type Client = AdGenClient<{ results: typeof results }>;

const pictureOf = async (client: Client, prompt: string): Promise<z.infer<typeof picture>> => {
  const job = await client.jobs.submitAndPoll({ action: "generate-ad", prompt });
  if (job.status === "failed") throw new Error(`No ad: ${job.error}`);
  return job.result.images[0]; // there is one: the schema says so
};
const { width, height } = await pictureOf(createClient({ schemas: { results } }), "Lemonade");
console.log(`${width} × ${height}`);
