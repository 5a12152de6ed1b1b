/** What a user writes: type-checked against the packed package, never run. */
import { createClient, isAdGenError, pollJob, toResult } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";

const client = createClient({ baseUrl: "https://api.example.com", apiKey: "test-key" });

export const makeAd = async (signal: AbortSignal): Promise<string> => {
  const job = await client.jobs.submit(
    { action: "generate-ad", prompt: "Summer sale", variations: 4 },
    { signal },
  );
  const finished = await pollJob(client, job.job_id, { signal });
  return finished.status === "completed" ? finished.job_id : finished.status;
};

export const makeBrand = async (): Promise<string> => {
  const result = await toResult(client.brands.create({ name: "Acme" }));
  if (!result.ok) return result.error.code;
  const { items } = await client.brands.listAds(result.data.id);
  return items.map(({ id }) => id).join();
};

export const describe = (error: unknown): string =>
  isAdGenError(error) ? `${error.code} ${error.status ?? ""}` : "not ours";

const service = createMockService();

export const mocked = createClient({
  baseUrl: "https://api.example.com",
  apiKey: "test-key",
  fetch: service.fetch,
});
